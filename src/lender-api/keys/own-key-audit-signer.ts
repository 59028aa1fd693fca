import { Injectable } from '@nestjs/common';
import { CompactSign } from 'jose';
import { type AuditKey, AuditSigner, type SignedKind } from '../../audit/index.js';
import { LenderApiKeysRepository } from '../store/lender-api-keys.repository.js';
import { OwnKeys } from './own-keys.js';

/** Signs the audit with the lender key. All keys that ever signed remain for checking. */
@Injectable()
export class OwnKeyAuditSigner extends AuditSigner {
  constructor(
    private readonly ownKeys: OwnKeys,
    private readonly records: LenderApiKeysRepository,
  ) {
    super();
  }

  async sign(payload: object, type: SignedKind): Promise<string> {
    const { kid, algorithm, privateKey } = await this.ownKeys.signing();
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: algorithm, kid, typ: type })
      .sign(privateKey);
  }

  async keys(): Promise<readonly AuditKey[]> {
    const own = (await this.records.list()).filter((key) => this.ownKeys.whyForeign(key) === null);
    return own.map(({ publicJwk, retiredAt }) => ({
      ...publicJwk,
      ...(retiredAt && { retiredAt: retiredAt.toISOString() }),
    }));
  }

  async foreignKeys(): ReturnType<AuditSigner['foreignKeys']> {
    const records = await this.records.list();
    return records.flatMap((key) => {
      const why = this.ownKeys.whyForeign(key);
      return why === null ? [] : [{ kid: key.kid, why }];
    });
  }
}

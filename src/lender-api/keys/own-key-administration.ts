import { Injectable } from '@nestjs/common';
import { CompactSign } from 'jose';
import { type AuditKey, AuditSigner, type SignedKind } from '../../audit/index.js';
import { Database } from '../../platform/index.js';
import type { SigningAlgorithm } from '../protocol-keys.js';
import { LenderApiKeysRepository } from '../store/lender-api-keys.repository.js';
import { OwnKeys } from './own-keys.js';

export interface ListedKey {
  readonly kid: string;
  readonly createdAt: Date;
  readonly standing: 'SIGNS' | 'PUBLISHED' | 'RETIRED';
}

export class KeyChangeRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyChangeRefused';
  }
}

const MAX_IN_USE = 2;

/** To rotate, add the second key, then retire the first. */
@Injectable()
export class OwnKeyAdministration {
  constructor(
    private readonly database: Database,
    private readonly keys: LenderApiKeysRepository,
    private readonly ownKeys: OwnKeys,
  ) {}

  /**
   * @returns the new kid
   * @throws KeyChangeRefused when two are in use
   */
  add(algorithm: SigningAlgorithm): Promise<string> {
    return this.database.transaction(async (tx) => {
      const inUse = await this.keys.lockInUse(tx);
      if (inUse.length >= MAX_IN_USE) {
        throw new KeyChangeRefused(`Two keys are already in use: retire ${inUse[0].kid} first.`);
      }
      return this.ownKeys.make(tx, algorithm);
    });
  }

  /**
   * @param options.isForced even if lenders may not know the other key
   * @throws KeyChangeRefused when it is not in use, the last, or the other too young
   */
  retire(kid: string, { isForced }: { isForced: boolean }): Promise<void> {
    return this.database.transaction(async (tx) => {
      const inUse = await this.keys.lockInUse(tx);
      if (!inUse.some((key) => key.kid === kid)) {
        throw new KeyChangeRefused(`There is no key ${kid} in use.`);
      }
      if (inUse.length === 1) {
        throw new KeyChangeRefused(`${kid} is the only key in use: add another key first.`);
      }
      const [successor] = inUse.filter((key) => key.kid !== kid);
      if (!isForced && (await this.keys.isYoung(tx, successor.kid))) {
        throw new KeyChangeRefused(
          `${successor.kid} was added less than an hour ago: a lender that has not read it would ` +
            'refuse every call. Retry later; if the key was stolen, use --force now.',
        );
      }
      await this.keys.retire(tx, kid);
    });
  }

  async list(): Promise<ListedKey[]> {
    const rows = await this.keys.list();
    const signing = rows.find(({ retiredAt }) => retiredAt === null);
    return rows.map(({ kid, createdAt, retiredAt }) => ({
      kid,
      createdAt,
      standing: retiredAt ? 'RETIRED' : kid === signing?.kid ? 'SIGNS' : 'PUBLISHED',
    }));
  }
}

/** Retired keys remain for checking. */
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

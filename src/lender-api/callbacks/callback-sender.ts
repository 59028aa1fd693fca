import { Injectable } from '@nestjs/common';
import {
  type Environment,
  Fault,
  InjectEnvironment,
  type RawRequest,
  SystemClock,
} from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import { SignatureAlarm } from '../client/signature-alarm.js';
import { LenderKeys } from '../keys/lender-keys.js';
import { PROTOCOL } from '../protocol/transport.js';
import { SignatureRefused, verifyRequest } from '../signing/message-signatures.js';

export interface KnownSender {
  readonly lenderCode: string;
  readonly address: string;
  readonly jti: string;
}

@Injectable()
export class CallbackSender {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly keys: LenderKeys,
    private readonly alarm: SignatureAlarm,
    private readonly clock: SystemClock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /**
   * Also accepts a disabled lender: its loans continue.
   * @throws Fault invalid_signature
   */
  async identify(code: string, request: RawRequest): Promise<KnownSender> {
    const lender = await this.lenders.find(code);
    if (!lender?.remote) throw new Fault('invalid_signature');
    const address = `${this.environment.baseUrl}${request.originalUrl.split('?')[0]}`;
    const signature = request.get(PROTOCOL.headers.signature);
    const signed = { method: 'POST', address, body: request.rawBody } as const;
    const now = this.clock.epochSeconds();
    try {
      const { jti } = await this.keys.check(lender, (findKey) =>
        verifyRequest(signature, signed, { findKey, now }),
      );
      return { lenderCode: lender.code, address, jti };
    } catch (error) {
      if (!(error instanceof SignatureRefused)) throw error;
      this.alarm.refused(lender.code, 'callback', error.problem);
      throw new Fault('invalid_signature', { cause: error });
    }
  }
}

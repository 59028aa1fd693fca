import { Injectable } from '@nestjs/common';
import { equalBytes, IdGenerator, Keyring, RandomSource, type Tx } from '../../platform/index.js';
import type { HostedSessionValue } from '../store/hosted-sessions.repository.js';
import {
  OneTimeCodesRepository,
  type SentCode,
  type TriedCode,
} from '../store/one-time-codes.repository.js';

const CODE_DIGITS = 6;
const PURPOSE = 'one_time_codes.code';
const CODES = 10 ** CODE_DIGITS;
/** Random numbers above it would make some codes likelier. */
const FAIR_BELOW = 2 ** 32 - (2 ** 32 % CODES);

/** Codes are stored as keyed hashes. */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly codes: OneTimeCodesRepository,
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
  ) {}

  /** Draws a code without storing it. */
  draw(): { id: string; code: string } {
    for (;;) {
      const number = this.random.bytes(4).readUInt32BE();
      if (number >= FAIR_BELOW) continue;
      return { id: this.ids.next('otc'), code: String(number % CODES).padStart(CODE_DIGITS, '0') };
    }
  }

  async insert(
    tx: Tx,
    session: HostedSessionValue,
    { id, code }: { id: string; code: string },
    smsId: string,
  ): Promise<void> {
    const { partnerId, journeyId, sessionId } = session;
    const codeHash = this.keyring.lookupHash(`${id}:${code}`, PURPOSE);
    await this.codes.insert(tx, { id, partnerId, journeyId, sessionId, codeHash, smsId });
  }

  newest(tx: Tx, session: HostedSessionValue): Promise<SentCode | null> {
    return this.codes.newest(tx, session);
  }

  /** Counts a try, and uses a matching code. */
  async try(tx: Tx, session: HostedSessionValue, typed: string): Promise<boolean> {
    const code = await this.codes.try(tx, session);
    if (!code || !this.matches(code, typed)) return false;
    await this.codes.markUsed(tx, code);
    return true;
  }

  /** For the same code sent twice. */
  async tryAgain(tx: Tx, session: HostedSessionValue, typed: string): Promise<boolean> {
    const code = await this.codes.tryUsed(tx, session);
    return code !== null && this.matches(code, typed);
  }

  private matches({ id, codeHash }: TriedCode, typed: string): boolean {
    return this.keyring
      .lookupHashes(`${id}:${typed}`, PURPOSE)
      .some((hash) => equalBytes(Buffer.from(hash), Buffer.from(codeHash)));
  }
}

import { Injectable } from '@nestjs/common';
import type { SmsToSend } from '../messaging/index.js';
import { Keyring, type Language } from '../platform/index.js';
import type { SmsKind } from '../settings/index.js';
import type { SandboxSms } from './store/sandbox-sms.entity.js';
import { SandboxSmsRepository } from './store/sandbox-sms.repository.js';

const PURPOSE = 'sandbox_sms.content';
/** Older ones go as new ones come. */
export const MAX_KEPT = 1_000;
const MOBILE_DIGITS = 10;

/** A text message as the applicant's telephone would show it. */
export interface InboxMessage {
  readonly id: string;
  readonly kind: SmsKind;
  readonly language: Language;
  readonly mobile: string;
  readonly text: string;
  readonly receivedAt: Date;
}

/** The messages that the simulated gateway took: nothing of them leaves the service. */
@Injectable()
export class SmsInbox {
  constructor(
    private readonly messages: SandboxSmsRepository,
    private readonly keyring: Keyring,
  ) {}

  /** Takes a message, once. */
  async take(sms: SmsToSend): Promise<void> {
    const { id, partnerId, subjectId, kind, language, mobile, text } = sms;
    await this.messages.insertOnce({
      id,
      partnerId,
      subjectId,
      kind,
      language,
      mobileHash: this.keyring.lookupHash(mobile, PURPOSE),
      contentSealed: this.keyring.seal(JSON.stringify({ mobile, text }), PURPOSE),
    });
    await this.messages.removeOldest(MAX_KEPT);
  }

  /**
   * The newest messages, newest first.
   * @param mobile to this number alone, with or without a country code; null: to all
   */
  async newest(mobile: string | null, most: number): Promise<InboxMessage[]> {
    const rows = await this.messages.newest(mobile === null ? null : this.hashes(mobile), most);
    return rows.map((row) => this.toMessage(row));
  }

  private hashes(mobile: string): string[] {
    const digits = mobile.replaceAll(/\D/g, '').slice(-MOBILE_DIGITS);
    return this.keyring.lookupHashes(digits, PURPOSE);
  }

  private toMessage(row: SandboxSms): InboxMessage {
    const { id, kind, language, receivedAt } = row;
    const { mobile, text } = JSON.parse(this.keyring.open(row.contentSealed, PURPOSE)) as {
      mobile: string;
      text: string;
    };
    return { id, kind, language, mobile, text, receivedAt };
  }
}

import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Columns, Keyring, type Tx } from '../../platform/index.js';
import { LenderMessage } from './lender-message.entity.js';

const columns = new Columns(LenderMessage);

const PURPOSE = 'lender_messages.body';

export type NewLenderMessage = Pick<
  LenderMessage,
  'lenderCode' | 'kind' | 'messageId' | 'partnerId' | 'subjectId'
>;

/** `AGAIN`: it was here before; `OTHER`: under this id another message was here before. */
export type KeptMessage = 'NEW' | 'AGAIN' | 'OTHER';

/** What lenders have told us, each message once. */
@Injectable()
export class LenderMessagesRepository {
  /** What `erase` empties. */
  static readonly PERSONAL_COLUMNS = columns.qualified(['bodySealed']);

  constructor(private readonly keyring: Keyring) {}

  /** @param body as it was read: what the protocol does not know is not in it */
  async keep(tx: Tx, message: NewLenderMessage, body: object): Promise<KeptMessage> {
    const text = JSON.stringify(body);
    const isNew = await tx.insertOnce(LenderMessage, {
      ...message,
      bodyHash: this.keyring.lookupHash(text, PURPOSE),
      bodySealed: this.keyring.seal(text, PURPOSE),
    });
    if (isNew) return 'NEW';
    const { lenderCode, kind, messageId } = message;
    const before = await tx
      .repository(LenderMessage)
      .findOneByOrFail({ lenderCode, kind, messageId });
    const isSame = this.keyring.lookupHashes(text, PURPOSE).includes(before.bodyHash);
    return isSame ? 'AGAIN' : 'OTHER';
  }

  /** @returns how many messages about the subject were erased */
  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const { affected } = await tx
      .repository(LenderMessage)
      .update({ partnerId, subjectId, bodySealed: Not(IsNull()) }, { bodySealed: null });
    return affected ?? 0;
  }
}

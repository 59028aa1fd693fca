import { Injectable } from '@nestjs/common';
import { type OperatorFlag, OperatorFlags } from '../../operator-flags/index.js';
import type { Tx } from '../../platform/index.js';
import {
  LenderMessagesRepository,
  type NewLenderMessage,
} from '../store/lender-messages.repository.js';
import { CallbackRefused } from './callback-refused.js';

/** Of what no partner's loan is the subject. */
const NO_PARTNER = '-';

/** Keeps what lenders tell us, each message once, and puts it before the operator. */
@Injectable()
export class MessageLog {
  constructor(
    private readonly messages: LenderMessagesRepository,
    private readonly flags: OperatorFlags,
  ) {}

  /**
   * @param body as it was read
   * @returns whether it was new
   * @throws CallbackRefused key_reused when another message had this id
   */
  async keep(tx: Tx, message: NewLenderMessage, body: object): Promise<boolean> {
    const kept = await this.messages.keep(tx, message, body);
    if (kept === 'OTHER') throw new CallbackRefused('key_reused');
    return kept === 'NEW';
  }

  /**
   * The same, and a new one is put before the operator.
   * @param facts without personal data
   */
  async keepAndFlag(
    tx: Tx,
    message: NewLenderMessage,
    body: object,
    kind: OperatorFlag['kind'],
    facts: Record<string, unknown>,
  ): Promise<void> {
    if (!(await this.keep(tx, message, body))) return;
    const { lenderCode, messageId, partnerId, subjectId } = message;
    await this.flags.raise(tx, {
      partnerId: partnerId ?? NO_PARTNER,
      subjectId: subjectId ?? lenderCode,
      kind,
      detail: { lenderCode, messageId, ...facts },
    });
  }
}

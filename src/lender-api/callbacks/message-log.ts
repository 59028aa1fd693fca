import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { type FlagDetail, NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Database, inChunks, ScheduledTask, type Tx } from '../../platform/index.js';
import {
  type KeptMessage,
  LenderMessagesRepository,
  LenderRequestIdsRepository,
  type NewLenderMessage,
} from '../store/lender-messages.repository.js';
import { CallbackRefused } from './read-callback.js';

type MessageFlag = 'LOAN_EVENT' | 'OFFER_REVISED';

/** Per lender and application. */
const MOST = 100;
const DAY_SECONDS = 86_400;

@Injectable()
export class MessageLog {
  constructor(
    private readonly messages: LenderMessagesRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly flags: OperatorFlags,
  ) {}

  /**
   * @param body as parsed
   * @returns whether it was new
   * @throws CallbackRefused key_reused for another message with the same id
   */
  async keep(tx: Tx, message: NewLenderMessage, body: object): Promise<boolean> {
    const { lenderCode, subjectId } = message;
    const isErased = subjectId !== null && (await this.questionOutbox.isErased(tx, subjectId));
    const isFirst = isErased
      ? await this.note(tx, message)
      : isNew(await this.messages.keep(tx, message, body));
    if (!isFirst) return false;
    if (subjectId !== null && (await this.messages.countOf(tx, lenderCode, subjectId)) > MOST) {
      const text = `Limit of ${MOST} messages about this application reached`;
      throw new CallbackRefused('too_many_requests', text, DAY_SECONDS);
    }
    return true;
  }

  /** For a message whose content is stored elsewhere. */
  async note(tx: Tx, message: NewLenderMessage): Promise<boolean> {
    return isNew(await this.messages.note(tx, message));
  }

  /**
   * @param cause distinguishes flags of the kind
   * @param facts without personal data
   * @returns whether it was new
   */
  async keepAndFlag<Kind extends MessageFlag>(
    tx: Tx,
    message: NewLenderMessage,
    body: object,
    kind: Kind,
    cause: readonly string[],
    facts: FlagDetail<Kind>,
  ): Promise<boolean> {
    if (!(await this.keep(tx, message, body))) return false;
    const { lenderCode, messageId, partnerId, subjectId } = message;
    const detail: FlagDetail<MessageFlag> = { lenderCode, messageId, ...facts };
    await this.flags.raise<MessageFlag, typeof detail>(tx, {
      partnerId: partnerId ?? NO_PARTNER,
      subjectId: subjectId ?? lenderCode,
      kind,
      cause: [lenderCode, ...cause],
      detail,
    });
    return true;
  }
}

function isNew(kept: KeptMessage): boolean {
  if (kept === 'OTHER') throw new CallbackRefused('key_reused');
  return kept === 'NEW';
}

const REQUEST_IDS_EVERY_MS = 5 * 60_000;
const REQUEST_IDS_A_CHUNK = 2_000;
const MESSAGES_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

@Injectable()
export class LenderMessageTasks {
  constructor(
    private readonly database: Database,
    private readonly requestIds: LenderRequestIdsRepository,
    private readonly messages: LenderMessagesRepository,
  ) {}

  @ScheduledTask('lender-request-ids', REQUEST_IDS_EVERY_MS)
  cleanRequestIds(): Promise<void> {
    return inChunks(0, async (before) => {
      const gone = await this.database.transaction((tx) =>
        this.requestIds.deleteOld(tx, REQUEST_IDS_A_CHUNK),
      );
      return gone < REQUEST_IDS_A_CHUNK ? null : before + gone;
    });
  }

  @ScheduledTask('lender-messages-clean', MESSAGES_EVERY_MS)
  cleanMessages(): Promise<void> {
    return inChunks(0, (after) =>
      this.database.transaction((tx) => this.messages.removeOld(tx, ROWS_A_CHUNK, after)),
    );
  }
}

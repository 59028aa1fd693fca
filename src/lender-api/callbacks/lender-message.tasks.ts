import { Injectable } from '@nestjs/common';
import { Database, inChunks, ScheduledTask } from '../../platform/index.js';
import { LenderMessagesRepository } from '../store/lender-messages.repository.js';
import { LenderRequestIdsRepository } from '../store/lender-request-ids.repository.js';

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

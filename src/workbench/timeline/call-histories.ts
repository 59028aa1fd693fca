import { Injectable } from '@nestjs/common';
import { type LoggedRequest, RequestLog } from '../../request-log/index.js';

/** The newest so many are shown. */
const MAX_CALLS = 100;

/** The calls on one journey or application, newest first. */
export interface CallHistory {
  readonly calls: readonly LoggedRequest[];
  /** Whether there were more. */
  readonly isCut: boolean;
}

/** Finds the calls of a timeline. */
@Injectable()
export class CallHistories {
  constructor(private readonly requests: RequestLog) {}

  /** The newest hundred; so that no polling hides them, the newest hundred that are posted beside these. */
  async of(partnerId: string, subjectId: string): Promise<CallHistory> {
    const stretch = { limit: MAX_CALLS };
    const { requests: newest, nextBefore } = await this.requests.list(
      partnerId,
      { subjectId },
      stretch,
    );
    if (nextBefore === null) return { calls: newest, isCut: false };
    const filter = { subjectId, method: 'POST' };
    const { requests: posted } = await this.requests.list(partnerId, filter, stretch);
    const byId = new Map([...newest, ...posted].map((call) => [call.id, call]));
    const calls = [...byId.values()].toSorted((a, b) => b.at.getTime() - a.at.getTime());
    return { calls, isCut: true };
  }
}

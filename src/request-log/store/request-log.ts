import { Injectable } from '@nestjs/common';
import { FreshReads } from '../../platform/index.js';
import {
  endsStatement,
  isRequestId,
  lastLookedAtStatement,
  MAX_LOOKED_AT,
  type RequestFilter,
  requestsStatement,
  requestStatement,
  type Statement,
  type Stretch,
} from './requests-statement.js';
import type { PartnerRequest } from './partner-request.entity.js';

const US_PER_TENTH_MS = 100;

/** `id` is `req_…`. */
export interface LoggedRequest extends Omit<
  PartnerRequest,
  'partnerId' | 'givenId' | 'durationUs'
> {
  /** As returned: `id`, or the caller's own. */
  readonly requestId: string;
  /** With one decimal. */
  readonly durationMs: number;
}

interface RequestPage {
  readonly requests: LoggedRequest[];
  /** `before` of the next page; null after the last. */
  readonly nextBefore: string | null;
}

export interface RequestSummary {
  readonly calls: number;
  /** Most frequent first; no code for 499. */
  readonly failures: {
    readonly status: number;
    readonly code: string | null;
    readonly count: number;
  }[];
  /** False above the limit. */
  readonly isWhole: boolean;
}

@Injectable()
export class RequestLog {
  constructor(private readonly lists: FreshReads) {}

  /**
   * Newest first. Reads at most 20,000 calls, so a filtered page may be short although there is a
   * next one.
   */
  async list(partnerId: string, filter: RequestFilter, stretch: Stretch): Promise<RequestPage> {
    const { before, limit } = stretch;
    if (before !== undefined && !isRequestId(before)) return { requests: [], nextBefore: null };
    const rows = await this.read<PartnerRequest>(
      requestsStatement(partnerId, filter, { before, limit: limit + 1 }),
    );
    const requests = rows.slice(0, limit).map(toLogged);
    if (rows.length > limit) return { requests, nextBefore: requests.at(-1)!.id };
    const [last] = await this.read<{ id: string }>(
      lastLookedAtStatement(partnerId, filter, before),
    );
    return { requests, nextBefore: last ? toRequestId(last.id) : null };
  }

  async find(partnerId: string, id: string): Promise<LoggedRequest | null> {
    if (!isRequestId(id)) return null;
    const [row] = await this.read<PartnerRequest>(requestStatement(partnerId, id));
    return row ? toLogged(row) : null;
  }

  /** Counts at most the newest 20,000 calls. */
  async summary(partnerId: string, since: Date): Promise<RequestSummary> {
    const ends = await this.read<RequestSummary['failures'][number]>(
      endsStatement(partnerId, since),
    );
    const calls = ends.reduce((sum, { count }) => sum + count, 0);
    return {
      calls: Math.min(calls, MAX_LOOKED_AT),
      failures: ends.filter(({ status }) => status >= 400),
      isWhole: calls <= MAX_LOOKED_AT,
    };
  }

  private read<Row>({ text, values }: Statement): Promise<Row[]> {
    return this.lists.query(text, values);
  }
}

function toLogged(row: PartnerRequest): LoggedRequest {
  const { id, givenId, durationUs, partnerId: _, ...rest } = row;
  const own = toRequestId(id);
  return {
    ...rest,
    id: own,
    requestId: givenId ?? own,
    durationMs: Math.round(durationUs / US_PER_TENTH_MS) / 10,
  };
}

function toRequestId(uuid: string): string {
  return `req_${uuid.replaceAll('-', '')}`;
}

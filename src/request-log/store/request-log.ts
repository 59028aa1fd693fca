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
import type { KeptRefusal, PartnerRequest } from './partner-request.entity.js';

const US_PER_TENTH_MS = 100;

export interface LoggedRequest {
  /** `req_…` */
  readonly id: string;
  /** As returned: `id`, or the caller's own. */
  readonly requestId: string;
  readonly at: Date;
  /** Null unless the sandbox had moved its time. */
  readonly realAt: Date | null;
  readonly keyId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly subjectId: string | null;
  /** 499: the caller disconnected. */
  readonly status: number;
  readonly code: string | null;
  /** With one decimal. */
  readonly durationMs: number;
  /** False: the key is only claimed. */
  readonly isAuthenticated: boolean;
  readonly refused: KeptRefusal | null;
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
    return this.lists.query(text, values) as Promise<Row[]>;
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

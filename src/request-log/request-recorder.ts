import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { canonicalHead, type ClaimedRequest, type RefusedSignature } from '../auth/index.js';
import {
  Clock,
  IdGenerator,
  isPartnerPath,
  maskIdentityWords,
  movedTime,
  SystemClock,
} from '../platform/index.js';
import { loggedPath, routeOf } from './logged-path.js';
import { RequestLogWriter } from './request-log-writer.js';
import type { KeptRefusal } from './store/partner-request.entity.js';

/** nginx's status for a closed connection. */
const HUNG_UP = 499;
const US_PER_MS = 1_000;
/** The column's limit, about 36 minutes: clients may read slowly. */
const LONGEST_US = 2 ** 31 - 1;

/** About ten years; unlimited, it would reveal the digits sent as the time. */
const MAX_SECONDS_AHEAD = 315_360_000;

/** Ids of what the call created. */
const CREATED_IDS = ['journeyId', 'applicationId', 'subscriptionId'] as const;

interface NotedCall {
  readonly id: string;
  readonly givenId: string | null;
  readonly realAt: Date | null;
  readonly durationUs: number;
  readonly words: ReadonlySet<string>;
}

/** Records partner calls that name a known key. */
@Injectable()
export class RequestRecorder {
  constructor(
    private readonly writer: RequestLogWriter,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly machine: SystemClock,
  ) {}

  /**
   * Install it after the request id.
   * @param words query values that are kept
   */
  watch(words: ReadonlySet<string>) {
    return (request: Request, response: Response, next: NextFunction): void => {
      if (isPartnerPath(request.path)) {
        const startedAt = performance.now();
        const arrived = request as ClaimedRequest;
        // The log's id must contain the time; a caller's own id does not.
        const { requestId } = arrived;
        const isGiven = request.headers['x-request-id'] === requestId;
        const id = isGiven ? this.ids.next('req') : requestId;
        const realAt = movedTime(this.clock) && this.machine.now();
        response.once('close', () => {
          const tookUs = Math.round((performance.now() - startedAt) * US_PER_MS);
          const durationUs = Math.min(tookUs, LONGEST_US);
          this.note(arrived, response, {
            id,
            givenId: isGiven ? requestId : null,
            realAt,
            durationUs,
            words,
          });
        });
      }
      next();
    };
  }

  private note(request: ClaimedRequest, response: Response, { words, ...about }: NotedCall): void {
    const key = request.partnerKey ?? request.claimedKey;
    const { path: pattern } = (request.route ?? {}) as { path?: unknown };
    if (!key || typeof pattern !== 'string') return;
    const { path, subjectId } = loggedPath(request.originalUrl, pattern, words);
    const isAnswered = response.writableFinished;
    this.writer.add({
      ...about,
      partnerId: key.partnerId,
      keyId: key.id,
      method: request.method,
      route: routeOf(pattern),
      path,
      subjectId: subjectId ?? madeBy(request.answered),
      status: isAnswered ? response.statusCode : HUNG_UP,
      code: (isAnswered && request.failedWith) || null,
      isAuthenticated: request.partnerKey !== undefined,
      refused: request.refusedSignature ? keptRefusal(request.refusedSignature, path) : null,
    });
  }
}

function madeBy(answered: object | undefined): string | null {
  const fields = (answered ?? {}) as Partial<Record<(typeof CREATED_IDS)[number], unknown>>;
  return CREATED_IDS.map((name) => fields[name]).find((value) => typeof value === 'string') ?? null;
}

function keptRefusal(refused: RefusedSignature, path: string): KeptRefusal {
  const { finding, secondsAhead, bodyBytes, bodySha256 } = refused;
  const ahead = Math.min(Math.max(secondsAhead, -MAX_SECONDS_AHEAD), MAX_SECONDS_AHEAD);
  // The caller chose the timestamp's digits.
  const canonical = maskIdentityWords(canonicalHead({ ...refused, target: path }));
  return { finding, canonical, secondsAhead: ahead, bodyBytes, bodySha256 };
}

import { Injectable, Logger } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Clock, Database, logFailure } from '../../platform/index.js';
import type { SignatureProblem } from '../signing/signature-refused.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

/** So many within the time are no accident. */
const REPEATED = 5;
const WITHIN_MS = 10 * 60_000;
const FROM_ANYBODY: ReadonlySet<SignatureProblem> = new Set([
  'MISSING',
  'MALFORMED',
  'UNKNOWN_KEY',
]);
/** Of what no partner's loan is the subject. */
const NO_PARTNER = '-';

/** Counts what lenders did not rightly sign, and puts it before the operator when it repeats. */
@Injectable()
export class SignatureAlarm {
  private readonly logger = new Logger(SignatureAlarm.name);
  private readonly refusedAt = new Map<string, number[]>();
  /** Until when it is known that the operator has been told. */
  private readonly toldUntil = new Map<string, number>();

  constructor(
    private readonly metrics: LenderCallMetrics,
    private readonly flags: OperatorFlags,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Anybody can call us under a lender's code: of calls only those count that name a key of the lender's.
   * @param message an answer to a question, or a call of the lender's own
   */
  refused(lender: string, message: 'answer' | 'callback', problem: SignatureProblem): void {
    this.metrics.signaturesRefused.inc({ lender, message, problem });
    if (message === 'callback' && FROM_ANYBODY.has(problem)) return;
    const counted = `${lender} ${message}`;
    const now = this.clock.now().getTime();
    if (now < (this.toldUntil.get(counted) ?? 0)) return;
    const recent = (this.refusedAt.get(counted) ?? []).filter((at) => now - at < WITHIN_MS);
    recent.push(now);
    this.refusedAt.set(counted, recent.slice(-REPEATED));
    if (recent.length < REPEATED) return;
    this.refusedAt.delete(counted);
    this.toldUntil.set(counted, now + WITHIN_MS);
    this.raise(lender, message, problem).catch((error: unknown) =>
      logFailure(this.logger, error, { lender }),
    );
  }

  private async raise(lender: string, message: string, problem: string): Promise<void> {
    await this.database.transaction((tx) =>
      this.flags.raise(tx, {
        partnerId: NO_PARTNER,
        subjectId: lender,
        kind: 'LENDER_SIGNATURE_REFUSED',
        cause: [message, problem],
        detail: { lenderCode: lender, message, problem },
      }),
    );
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Clock, ClockDifference, Database, logFailure } from '../../platform/index.js';
import type { SignatureProblem } from '../signing/message-signatures.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const REPEATED = 5;
const WITHIN_MS = 10 * 60_000;
const FROM_ANYBODY: ReadonlySet<SignatureProblem> = new Set([
  'MISSING',
  'MALFORMED',
  'UNKNOWN_KEY',
]);
@Injectable()
export class SignatureAlarm {
  private readonly logger = new Logger(SignatureAlarm.name);
  private readonly refusedAt = new Map<string, number[]>();
  private readonly flaggedUntil = new Map<string, number>();

  constructor(
    private readonly metrics: LenderCallMetrics,
    private readonly flags: OperatorFlags,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly clockDifference: ClockDifference,
  ) {}

  /** Any sender can use a lender's code, so a callback counts only when it names a key of the lender. */
  refused(lender: string, message: 'answer' | 'callback', problem: SignatureProblem): void {
    this.metrics.signaturesRefused.inc({ lender, message, problem });
    if (message === 'callback' && FROM_ANYBODY.has(problem)) return;
    const counted = `${lender} ${message} ${problem}`;
    const now = this.clock.now().getTime();
    if (now < (this.flaggedUntil.get(counted) ?? 0)) return;
    const recent = (this.refusedAt.get(counted) ?? []).filter((at) => now - at < WITHIN_MS);
    recent.push(now);
    this.refusedAt.set(counted, recent.slice(-REPEATED));
    if (recent.length < REPEATED) return;
    this.refusedAt.delete(counted);
    this.flaggedUntil.set(counted, now + WITHIN_MS);
    this.raise(lender, message, problem, counted).catch((error: unknown) =>
      logFailure(this.logger, error, { lender }),
    );
  }

  private async raise(
    lender: string,
    message: string,
    problem: string,
    counted: string,
  ): Promise<void> {
    // With a wrong clock this replica refuses correct signatures.
    await this.clockDifference.measure();
    if (this.clockDifference.isUnfit) {
      this.flaggedUntil.delete(counted);
      return;
    }
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

import { Injectable, Logger } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Database, logFailure, SystemClock } from '../../platform/index.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const DAY_MS = 24 * 3_600_000;
const WARNING_DAYS = 14;
const NO_PARTNER = '-';

/** Watches when the TLS certificates of lenders expire, and puts it before the operator in time. */
@Injectable()
export class LenderCertificates {
  private readonly logger = new Logger(LenderCertificates.name);
  /** What was last recorded of a lender. */
  private readonly recorded = new Map<string, string>();

  constructor(
    private readonly metrics: LenderCallMetrics,
    private readonly flags: OperatorFlags,
    private readonly database: Database,
    private readonly clock: SystemClock,
  ) {}

  /** Called at each new connection to the lender; writes only when something has changed. */
  seen(lenderCode: string, validTo: Date): void {
    const daysLeft = Math.floor((validTo.getTime() - this.clock.now().getTime()) / DAY_MS);
    this.metrics.certificateDaysLeft.set({ lender: lenderCode }, daysLeft);
    const expires = daysLeft <= WARNING_DAYS;
    const state = `${validTo.toISOString()} ${expires}`;
    if (this.recorded.get(lenderCode) === state) return;
    this.recorded.set(lenderCode, state);
    this.record(lenderCode, validTo, expires).catch((error: unknown) => {
      this.recorded.delete(lenderCode);
      logFailure(this.logger, error, { lender: lenderCode });
    });
  }

  private async record(lenderCode: string, validTo: Date, expires: boolean): Promise<void> {
    const named = { subjectId: lenderCode, kind: 'LENDER_CERTIFICATE' } as const;
    const detail = { lenderCode, validTo: validTo.toISOString() };
    await this.database.transaction((tx) =>
      expires
        ? this.flags.raise(tx, { ...named, partnerId: NO_PARTNER, cause: [], detail })
        : this.flags.resolve(tx, named, {}),
    );
  }
}

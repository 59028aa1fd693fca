import { Injectable } from '@nestjs/common';
import { NO_PARTNER, OperatorFlags } from '../../operator-flags/index.js';
import { Database, ScheduledTask, SystemClock } from '../../platform/index.js';
import { type Lender, LenderCatalogue } from '../../settings/index.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const EVERY_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
const WARNING_DAYS = 14;

interface Shown {
  readonly lenderCode: string;
  readonly host: string;
  readonly validTo: Date;
  isFlagged: boolean | null;
}

@Injectable()
export class LenderCertificates {
  /** By lender and host: the key list may be on another host. */
  private readonly shown = new Map<string, Shown>();

  constructor(
    private readonly metrics: LenderCallMetrics,
    private readonly flags: OperatorFlags,
    private readonly database: Database,
    private readonly lenders: LenderCatalogue,
    private readonly clock: SystemClock,
  ) {}

  /** @param host with the port */
  seen(lenderCode: string, host: string, validTo: Date): void {
    const key = `${lenderCode} ${host}`;
    if (this.shown.get(key)?.validTo.getTime() === validTo.getTime()) return;
    this.shown.set(key, { lenderCode, host, validTo, isFlagged: null });
    this.measure();
  }

  @ScheduledTask('lender-certificates', EVERY_MS)
  async check(): Promise<void> {
    for (const [key, { lenderCode, host }] of this.shown) {
      const lender = await this.lenders.find(lenderCode);
      if (!lender || !hostsOf(lender).includes(host)) this.shown.delete(key);
    }
    this.measure();
    for (const shown of this.shown.values()) await this.record(shown);
  }

  private measure(): void {
    const gauge = this.metrics.certificateDaysLeft;
    gauge.reset();
    for (const [lender, shown] of Map.groupBy(this.shown.values(), (one) => one.lenderCode)) {
      gauge.set({ lender }, Math.min(...shown.map((one) => this.daysLeft(one))));
    }
  }

  /** Once a certificate, so that a replica with an older one does not flag it again. */
  private async record(shown: Shown): Promise<void> {
    const { lenderCode, host, validTo } = shown;
    const expires = this.daysLeft(shown) <= WARNING_DAYS;
    if (shown.isFlagged === expires) return;
    const named = { subjectId: lenderCode, kind: 'LENDER_CERTIFICATE' } as const;
    const detail = { lenderCode, host, validTo: validTo.toISOString() };
    await this.database.transaction((tx) =>
      expires
        ? this.flags.raise(tx, { ...named, partnerId: NO_PARTNER, cause: [host], detail })
        : this.flags.resolve(tx, { ...named, cause: host }, {}),
    );
    shown.isFlagged = expires;
  }

  private daysLeft({ validTo }: Shown): number {
    return Math.floor((validTo.getTime() - this.clock.now().getTime()) / DAY_MS);
  }
}

function hostsOf({ remote }: Lender): string[] {
  if (!remote) return [];
  const { address, keys } = remote;
  return [address, ...(keys.kind === 'JWKS' ? [keys.address] : [])].map((text) => {
    const { hostname, port } = new URL(text);
    return `${hostname.replace(/^\[|\]$/g, '')}:${port || 443}`;
  });
}

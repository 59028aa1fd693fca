import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type KeyAccess, KeyAccessRepository, type KeyUse } from '../../auth/index.js';
import { INSTANT_LEAD_STATUSES, JOURNEY_STATES } from '../../journeys/index.js';
import { type LeadsOfStatus, LeadsRepository } from '../../leads/index.js';
import { Clock, type Page, SeeOther } from '../../platform/index.js';
import { RequestLog, type RequestSummary } from '../../request-log/index.js';
import { INSTANT_PRODUCT } from '../../settings/index.js';
import {
  type AlertEvent,
  AlertsRepository,
  type Subscription,
  SubscriptionsRepository,
} from '../../webhooks/index.js';
import { SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained, GUIDE, type GuideArea } from '../guide/guide.js';
import { NO_INSTANT_LOANS } from './journeys.controller.js';
import { address, counted, grouped, KEPT_CURRENT, stamp, workbenchPage } from './workbench-page.js';

const DAY_MS = 86_400_000;

/** More are only counted. */
const MAX_FAILING = 10;
/** The newest of a week. */
const MAX_ALERTS = 10;

/** Each part needs the scope of the API calls with the same content. */
@Controller('workbench')
@SignedIn
export class OverviewController {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly keys: KeyAccessRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly requests: RequestLog,
    private readonly clock: Clock,
    private readonly alerts: AlertsRepository,
  ) {}

  @Get()
  async show(@Visitor() visitor: WorkbenchVisitor): Promise<Page> {
    const { partnerId } = visitor;
    const dayAgo = new Date(this.clock.now().getTime() - DAY_MS);
    const [uses, summary, counts, endpoints, alerts] = await Promise.all([
      this.keys.usesOf(partnerId),
      this.requests.summary(partnerId, dayAgo),
      has(visitor, 'leads:read') ? this.leads.countsByStatus(partnerId) : null,
      has(visitor, 'webhooks:manage') ? this.subscriptions.list(partnerId) : null,
      has(visitor, 'events:read') ? this.alerts.recent(partnerId, MAX_ALERTS) : [],
    ]);
    return workbenchPage(visitor, 'overview', 'overview', {
      title: 'Overview',
      ...KEPT_CURRENT,
      journeys:
        counts && funnel(counts.filter(isJourney), 'state', JOURNEY_STATES, NO_INSTANT_LOANS),
      instantLoans:
        counts &&
        funnel(
          counts.filter((count) => !isJourney(count)),
          'instant',
          INSTANT_LEAD_STATUSES,
          INSTANT_PRODUCT,
        ),
      calls: shownCalls(summary),
      keys: uses.map(shownUse),
      alerts: alerts.map(shownAlert),
      endpoints: endpoints && shownEndpoints(endpoints),
    });
  }

  /** Addresses of forms, which a browser keeps after a page in response. */
  @Get(['webhooks/:id/:change', 'webhooks/:id/deliveries/:delivery/:change', 'sign-out'])
  posted(@Req() { path }: Request): SeeOther {
    return new SeeOther(path.replace(/\/[^/]+\/?$/, ''));
  }

  @Get('guide')
  guide(@Visitor() visitor: WorkbenchVisitor): Page {
    return workbenchPage(visitor, 'guide', 'guide', { title: 'Guide', sections: GUIDE });
  }
}

function has({ scopes }: KeyAccess, scope: KeyAccess['scopes'][number]): boolean {
  return scopes.includes(scope);
}

function isJourney({ loanType }: LeadsOfStatus): boolean {
  return loanType !== INSTANT_PRODUCT;
}

function funnel(
  counts: readonly LeadsOfStatus[],
  area: GuideArea,
  statuses: readonly string[],
  product: string,
) {
  const numbers = statuses.map((status) =>
    counts.filter((count) => count.status === status).reduce((sum, { leads }) => sum + leads, 0),
  );
  const most = Math.max(1, ...numbers);
  return {
    total: totalOf(
      numbers.reduce((sum, number) => sum + number, 0),
      product,
    ),
    rows: statuses.map((status, place) => ({
      status,
      ...explained(area, status),
      count: grouped(numbers[place]),
      share: percentOf(numbers[place], most),
      href: address('/workbench/journeys', { status, product }),
    })),
  };
}

function totalOf(count: number, product: string): string {
  return product === NO_INSTANT_LOANS
    ? counted(count, 'journey', 'journeys')
    : counted(count, 'application', 'applications');
}

/** Without a code, the caller disconnected. */
function shownCalls({ calls, failures, isWhole }: RequestSummary) {
  const byCode = [...Map.groupBy(failures, ({ code }) => code)].map(([code, ends]) => ({
    code,
    count: ends.reduce((sum, { count }) => sum + count, 0),
  }));
  const most = Math.max(1, ...byCode.map(({ count }) => count));
  const failed = byCode.reduce((sum, { count }) => sum + count, 0);
  return {
    count: calls,
    text: counted(calls, 'call', 'calls'),
    failed: grouped(failed),
    isWhole,
    rows: byCode.map(({ code, count }) => ({
      status: code ?? 'the caller closed the connection',
      count: grouped(count),
      share: percentOf(count, most),
      href: address('/workbench/requests', code === null ? { status: '4xx' } : { code }),
    })),
  };
}

function shownUse({ name, hint, status, minuteUsed, minuteLimit, dayUsed, dayLimit }: KeyUse) {
  return {
    name,
    hint,
    isSuspended: status === 'SUSPENDED',
    windows: [
      { name: 'This minute', ...use(minuteUsed, minuteLimit) },
      { name: 'Today in India', ...use(dayUsed, dayLimit) },
    ],
  };
}

const MUCH_PERCENT = 80;

function use(used: number, limit: number) {
  const share = percentOf(Math.min(used, limit), limit);
  return { used: grouped(used), limit: grouped(limit), share, isMuch: share >= MUCH_PERCENT };
}

function shownAlert({ body, url }: AlertEvent) {
  const { event, createdAt, data } = JSON.parse(body) as AlertBody;
  const { subscriptionId, keyName, used, limit } = data;
  return {
    event,
    ...explained('event', event),
    at: stamp(new Date(createdAt)),
    url,
    href: subscriptionId && url && `/workbench/webhooks/${subscriptionId}`,
    keyName,
    used,
    limit,
  };
}

interface AlertBody {
  readonly event: string;
  readonly createdAt: string;
  readonly data: {
    readonly subscriptionId?: string;
    readonly keyName?: string;
    readonly used?: number;
    readonly limit?: number;
  };
}

function shownEndpoints(subscriptions: readonly Subscription[]) {
  const failing = subscriptions
    .filter(({ isActive, failureCount }) => !isActive || failureCount > 0)
    .toSorted((a, b) => Number(a.isActive) - Number(b.isActive) || b.failureCount - a.failureCount);
  return {
    count: subscriptions.length,
    working: subscriptions.length - failing.length,
    failing: failing.slice(0, MAX_FAILING).map((one) => ({
      url: one.url,
      href: `/workbench/webhooks/${one.id}`,
      isActive: one.isActive,
      failureCount: one.failureCount,
      lastDeliveryAt: one.lastDeliveryAt && stamp(one.lastDeliveryAt),
    })),
    more: Math.max(0, failing.length - MAX_FAILING),
  };
}

/** Rounded; 0 only for 0. */
function percentOf(part: number, whole: number): number {
  return part === 0 ? 0 : Math.max(1, Math.round((part / whole) * 100));
}

import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANT_LEAD_STATUSES, JOURNEY_STATES, JourneyHistories } from '../../journeys/index.js';
import { LeadsRepository, type ListedLead, PartnerReferences } from '../../leads/index.js';
import { Fault, formatRupees, type Page, SeeOther } from '../../platform/index.js';
import { INSTANT_PRODUCT, ProductCatalogue } from '../../settings/index.js';
import { EventHistories } from '../../webhooks/index.js';
import { NeedsWorkbenchScope, SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained } from '../guide/guide.js';
import { CallHistories } from '../timeline/timeline-entry.js';
import { journeyTimeline } from '../timeline/journey-timeline.js';
import {
  address,
  choice,
  KEPT_CURRENT,
  options,
  parameter,
  stamp,
  workbenchPage,
} from './workbench-page.js';

const LIST = '/workbench/journeys';
/** A choice among the products. */
export const NO_INSTANT_LOANS = `except ${INSTANT_PRODUCT}`;
const ROWS_A_PAGE = 50;
const STATUSES = [...new Set<string>([...JOURNEY_STATES, ...INSTANT_LEAD_STATUSES])];
const APPLICATION_ID = /^app_[0-9a-f]{32}$/;

type Query = Record<string, unknown>;

@Controller('workbench')
@SignedIn
export class JourneysController {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly references: PartnerReferences,
    private readonly histories: JourneyHistories,
    private readonly events: EventHistories,
    private readonly calls: CallHistories,
    private readonly products: ProductCatalogue,
  ) {}

  @Get('journeys')
  @NeedsWorkbenchScope('leads:read')
  async list(
    @Visitor() visitor: WorkbenchVisitor,
    @Query() query: Query,
  ): Promise<Page | SeeOther> {
    const codes = (await this.products.list()).map(({ code }) => code);
    const products = [...codes, NO_INSTANT_LOANS];
    const status = choice(query, 'status', STATUSES);
    const product = choice(query, 'product', products);
    const id = parameter(query, 'id');
    const found = id === null ? null : await this.pageOf(visitor, id);
    if (found) return new SeeOther(found);
    const before = parameter(query, 'before');
    const leads = await this.newest(visitor.partnerId, status, product, before);
    const page = leads.slice(0, ROWS_A_PAGE);
    const older = leads.length > ROWS_A_PAGE ? (page.at(-1)?.id ?? null) : null;
    return workbenchPage(visitor, 'journeys', 'journeys', {
      title: 'Journeys',
      ...(before === null && KEPT_CURRENT),
      statuses: options(STATUSES, status),
      products: options(products, product),
      id,
      isFiltered: status !== null || product !== null,
      rows: page.map((lead) => shownLead(lead, visitor)),
      olderHref: older && address(LIST, { status, product, before: older }),
      newestHref: before && address(LIST, { status, product }),
    });
  }

  @Get('journeys/:journeyId')
  @NeedsWorkbenchScope('journeys:read')
  async journey(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('journeyId') journeyId: string,
  ): Promise<Page> {
    const { partnerId, scopes } = visitor;
    const history = await this.histories.find(partnerId, journeyId);
    if (!history) throw new Fault('journey_not_found');
    const mayReadEvents = scopes.includes('webhooks:manage');
    const events = mayReadEvents ? await this.events.ofJourney(partnerId, journeyId) : null;
    const { journey } = history;
    const lead = await this.leads.find(partnerId, journey.applicationId);
    const reference = this.references.shown(journey.applicationId, lead?.referenceSealed ?? null);
    return workbenchPage(visitor, 'journeys', 'journey', {
      title: `Journey ${journeyId}`,
      ...KEPT_CURRENT,
      journey: {
        ...journey,
        loanAmount: formatRupees(journey.loanAmount),
        createdAt: stamp(journey.createdAt),
        updatedAt: stamp(journey.updatedAt),
        disbursedAt: journey.disbursedAt && stamp(journey.disbursedAt),
        explained: explained('state', journey.state),
        clientReferenceId: reference.clientReferenceId,
        metadata: Object.entries(reference.metadata ?? {}),
        reason: journey.outcomeReason && explained('reason', journey.outcomeReason),
      },
      mayReadEvents,
      timeline: journeyTimeline(history, events, await this.calls.of(partnerId, journeyId)),
    });
  }

  /** More than a page when there are older ones. */
  private async newest(
    partnerId: string,
    status: string | null,
    product: string | null,
    before: string | null,
  ): Promise<ListedLead[]> {
    const loanTypes =
      product === NO_INSTANT_LOANS ? await this.others(partnerId) : [product ?? undefined];
    const found = await Promise.all(
      loanTypes.map((loanType) => {
        const filter = { status: status ?? undefined, loanType };
        return this.leads.newest(partnerId, filter, before, ROWS_A_PAGE + 1);
      }),
    );
    return found.flat().toSorted(newestFirst);
  }

  /** The partner's products with leads, without instant loans. */
  private async others(partnerId: string): Promise<string[]> {
    const counts = await this.leads.countsByStatus(partnerId);
    const used = new Set(counts.map(({ loanType }) => loanType));
    return [...used].filter((one) => one !== INSTANT_PRODUCT);
  }

  /** Null when the partner has no record with this id. */
  private async pageOf(visitor: WorkbenchVisitor, id: string): Promise<string | null> {
    if (id.startsWith('jrn_')) {
      return (await this.histories.has(visitor.partnerId, id)) ? `${LIST}/${id}` : null;
    }
    const lead = (await this.leadOf(visitor, id)) ?? (await this.onlyWith(visitor, id));
    return lead && hrefOf(lead);
  }

  /** Null when no lead, or more than one, has this `clientReferenceId`. */
  private async onlyWith({ partnerId }: WorkbenchVisitor, id: string): Promise<ListedLead | null> {
    const named = { referenceHashes: this.references.hashesOf(id) };
    const { leads, total } = await this.leads.list(partnerId, named, { page: 1, limit: 1 });
    return total === 1 ? leads[0] : null;
  }

  private async leadOf({ partnerId }: WorkbenchVisitor, id: string): Promise<ListedLead | null> {
    return APPLICATION_ID.test(id) ? this.leads.find(partnerId, id) : null;
  }
}

function hrefOf({ journeyId }: ListedLead): string {
  return `${LIST}/${journeyId}`;
}

function shownLead(lead: ListedLead, { scopes }: WorkbenchVisitor) {
  return {
    id: lead.journeyId,
    applicationId: lead.id,
    product: lead.loanType,
    amount: formatRupees(lead.loanAmount),
    status: lead.status,
    submittedAt: stamp(lead.submittedAt),
    href: scopes.includes('journeys:read') ? hrefOf(lead) : null,
  };
}

/** The order of `LeadsRepository.newest`, so that no page skips a lead of the same moment. */
function newestFirst(one: ListedLead, other: ListedLead): number {
  const later = other.submittedAt.getTime() - one.submittedAt.getTime();
  return later || (one.id < other.id ? 1 : -1);
}

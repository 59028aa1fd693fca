import { Get, Param, Query } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../auth/index.js';
import { paiseToRupees } from '../loans/index.js';
import {
  Fault,
  ignoredParameters,
  PartnerApi,
  PartnerCall,
  validated,
  withoutInvisible,
} from '../platform/index.js';
import { LeadsPage, LeadsQuery, LeadStatus, type LeadView, pageOf } from './leads.dto.js';
import { LeadDetailsRegistry } from './lead-details.js';
import { PartnerReferences } from './partner-reference.js';
import type { ListedLead } from './store/leads-page-statement.js';
import { LeadsRepository } from './store/leads.repository.js';

const APPLICATION_ID = /^app_[0-9a-f]{32}$/;

const ListLeadsCall = PartnerCall({
  operationId: 'listLeads',
  summary: 'List applications',
  description:
    'The partner’s applications, newest first. An unknown `status`, `loanType`, `journeyId`, ' +
    '`applicationId` or `clientReferenceId` returns an empty list. A page out of range becomes the nearest page. A value that cannot be parsed is ' +
    'refused.',
  answer: LeadsPage,
  query: LeadsQuery,
});

const LeadStatusCall = PartnerCall({
  operationId: 'readLeadStatus',
  summary: 'Read the status of an application',
  description: 'The status of one application: a journey’s or an instant loan’s.',
  answer: LeadStatus,
});

@PartnerApi('leads')
export class LeadsController {
  constructor(
    private readonly leads: LeadsRepository,
    private readonly references: PartnerReferences,
    private readonly details: LeadDetailsRegistry,
  ) {}

  @ListLeadsCall
  @Get()
  @Scoped('leads:read')
  async list(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Query() parameters: Record<string, unknown>,
  ): Promise<LeadsPage> {
    const query = validated(LeadsQuery, { ...parameters });
    const { clientReferenceId: reference, ...filter } = query;
    const { page, limit } = pageOf(query);
    const named =
      reference === undefined
        ? {}
        : { referenceHashes: this.references.hashesOf(withoutInvisible(reference)) };
    const { leads, total } = await this.leads.list(
      partnerId,
      { ...filter, ...named },
      { page, limit },
    );
    const ignored = ignoredParameters(parameters, LeadsQuery);
    return { leads: leads.map((lead) => this.viewOf(lead)), total, page, limit, ...ignored };
  }

  @LeadStatusCall
  @Get(':applicationId/status')
  @Scoped('leads:read')
  async status(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('applicationId') applicationId: string,
  ): Promise<LeadStatus> {
    const isId = APPLICATION_ID.test(applicationId);
    const lead = isId ? await this.leads.findStatus(partnerId, applicationId) : null;
    if (lead === null) throw new Fault('application_not_found');
    return {
      applicationId,
      status: lead.status,
      ...(await this.details.of(partnerId, lead.journeyId)),
      updatedAt: lead.updatedAt.toISOString(),
      ...this.references.shown(applicationId, lead.referenceSealed),
    };
  }

  private viewOf(lead: ListedLead): LeadView {
    return {
      applicationId: lead.id,
      loanType: lead.loanType,
      loanAmount: paiseToRupees(lead.loanAmount),
      loanAmountSource: lead.loanAmountSource,
      status: lead.status,
      submittedAt: lead.submittedAt.toISOString(),
      journeyId: lead.journeyId,
      ...this.references.shown(lead.id, lead.referenceSealed),
    };
  }
}

import { Injectable } from '@nestjs/common';
import { type ChangedLead, LeadWriter, PartnerReferences } from '../../leads/index.js';
import type { Tx } from '../../platform/index.js';
import { EventPublisher, type LeadChange } from '../../webhooks/index.js';
import { leadStatusOf } from '../domain/lead-status.js';
import type { Journey } from '../store/journey.entity.js';

/** A lead's status and its event, in the transaction of the change. The caller holds the journeys' locks. */
@Injectable()
export class LeadStatuses {
  constructor(
    private readonly leads: LeadWriter,
    private readonly references: PartnerReferences,
    private readonly events: EventPublisher,
  ) {}

  /** @param status for every lead; default: from each journey's state */
  async follow(tx: Tx, journeys: readonly Journey[], status?: string): Promise<void> {
    const changed = await this.leads.setStatuses(
      tx,
      journeys.map((journey) => ({
        partnerId: journey.partnerId,
        journeyId: journey.id,
        status: status ?? leadStatusOf(journey),
      })),
    );
    const byId = new Map(journeys.map((journey) => [journey.id, journey]));
    await this.events.publishLeads(
      tx,
      changed.map((lead) => this.changeOf(byId.get(lead.journeyId)!, lead)),
    );
  }

  private changeOf(journey: Journey, lead: ChangedLead): LeadChange {
    const { partnerId, id: journeyId, applicationId, outcomeReason, referenceSealed } = journey;
    const { loanType, status, previousStatus } = lead;
    const { clientReferenceId } = this.references.open(applicationId, referenceSealed);
    return {
      partnerId,
      applicationId,
      journeyId,
      sequence: lead.statusChanges,
      createdAt: lead.updatedAt,
      data: {
        loanType,
        status,
        previousStatus,
        reason: outcomeReason ?? undefined,
        clientReferenceId,
      },
    };
  }
}

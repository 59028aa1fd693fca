import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Fault, Metrics, Tx } from '../../platform/index.js';
import type { Milestone } from '../../journey-steps/index.js';
import { type PartnerReference, PartnerReferences } from '../../leads/index.js';
import {
  EventPublisher,
  type OutgoingEvent,
  type PublishedEvent,
  type WebhookEventName,
} from '../../webhooks/index.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository, type JourneyChanges } from '../store/journeys.repository.js';
import { LeadStatuses } from './lead-statuses.js';
import { Milestones } from './milestones.js';
import { StateEntry } from './state-entry.js';
import { isTerminal, type JourneyState, outcomeOf } from '../domain/journey-state.js';
import { isInstant } from '../domain/journey.js';
import { nextActionOf } from '../domain/next-action.js';
import { START, type Transition, transition, type Trigger } from '../domain/transition-table.js';

interface JourneyMove {
  readonly journey: Journey;
  readonly changes?: JourneyChanges;
}

export interface MoveGroup {
  /** All with the same changed properties. */
  readonly moves: readonly JourneyMove[];
  readonly trigger: Trigger;
  /** Replaces the transition's event. */
  readonly event?: WebhookEventName;
  /** Another move follows in this transaction; only that one changes the leads. */
  readonly isPassedThrough?: boolean;
}

interface MadeGroup {
  readonly journeys: Journey[];
  readonly trigger: Trigger;
  readonly from: JourneyState | null;
  readonly events: ReadonlyMap<string, OutgoingEvent>;
  readonly milestones: readonly Milestone[];
  readonly isPassedThrough: boolean;
}

@Injectable()
export class JourneyMetrics {
  readonly transitions: Counter<'trigger' | 'state'>;

  constructor(metrics: Metrics) {
    this.transitions = metrics.counter(
      'journey_transitions_total',
      'State changes of journeys, by trigger and state entered',
      ['trigger', 'state'],
    );
  }
}

/**
 * The only place where a journey changes its state. One transaction holds the conditional update, audit row, lead,
 * event and SMS.
 */
@Injectable()
export class JourneyMover {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly entry: StateEntry,
    private readonly audit: JourneyAudit,
    private readonly leads: LeadStatuses,
    private readonly references: PartnerReferences,
    private readonly events: EventPublisher,
    private readonly milestones: Milestones,
    private readonly metrics: JourneyMetrics,
  ) {}

  /**
   * @param event replaces the transition's event
   * @throws Fault wrong_step when the move is not allowed, or another change came first
   */
  async move(
    tx: Tx,
    journey: Journey,
    trigger: Trigger,
    changes: JourneyChanges = {},
    event?: WebhookEventName,
  ): Promise<Journey> {
    const [[moved]] = await this.moveGroups(tx, [
      { moves: [{ journey, changes }], trigger, event },
    ]);
    return moved;
  }

  /**
   * Moves all or none. Each group's journeys are distinct and in one state. The audit rows lock the audit chains, so
   * they are written together in one order.
   */
  async moveGroups(tx: Tx, groups: readonly MoveGroup[]): Promise<Journey[][]> {
    const done: MadeGroup[] = [];
    for (const group of groups) done.push(await this.moveGroup(tx, group));
    await this.audit.recordMoves(
      tx,
      done.flatMap(({ journeys, trigger, from, events }) =>
        journeys.map((journey) => ({ journey, trigger, from, event: events.get(journey.id) })),
      ),
    );
    for (const group of done) await this.announce(tx, group);
    return done.map(({ journeys }) => journeys);
  }

  private async moveGroup(
    tx: Tx,
    { moves, trigger, event, isPassedThrough = false }: MoveGroup,
  ): Promise<MadeGroup> {
    const from = moves[0]?.journey.state;
    if (from === undefined)
      return {
        journeys: [],
        trigger,
        from: null,
        events: new Map(),
        milestones: [],
        isPassedThrough,
      };
    const nexts = moves.map(({ journey }) => transition(from, trigger, journey.steps));
    const changed = await this.journeys.changeAll(
      tx,
      from,
      moves.map((move, index) => ({ ...move, changes: changesOf(move, nexts[index], event) })),
    );
    const moved = changed.map(requireMoved);
    await this.finish(tx, moved);
    const journeys = await this.entry.enterAll(tx, moved);
    const { event: own, milestones = [] } = nexts[0] ?? {};
    const events = await this.publish(tx, journeys, event ?? own);
    return { journeys, trigger, from, events, milestones, isPassedThrough };
  }

  private async announce(tx: Tx, made: MadeGroup): Promise<void> {
    const { journeys, trigger, milestones, isPassedThrough } = made;
    if (journeys.length === 0) return;
    if (!isPassedThrough) await this.leads.follow(tx, journeys);
    await this.milestones.moved(tx, journeys, milestones);
    tx.afterCommit(() => {
      for (const { state } of journeys) this.metrics.transitions.inc({ trigger, state });
    });
  }

  async begin(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    const { trigger } = START;
    const events = await this.publish(tx, journeys, START.event);
    await this.audit.recordMoves(
      tx,
      journeys.map((journey) => ({
        journey,
        trigger,
        from: null,
        event: events.get(journey.id),
      })),
    );
  }

  private async publish(
    tx: Tx,
    journeys: readonly Journey[],
    name: WebhookEventName | undefined,
  ): Promise<ReadonlyMap<string, OutgoingEvent>> {
    const reported = name ? journeys.filter((journey) => !isInstant(journey)) : [];
    if (!name || reported.length === 0) return new Map();
    const events = await this.events.publishAll(
      tx,
      reported.map((journey) =>
        eventOf(
          journey,
          name,
          this.references.open(journey.applicationId, journey.referenceSealed),
        ),
      ),
    );
    return new Map(reported.map(({ id }, index) => [id, events[index]]));
  }

  private async finish(tx: Tx, moved: readonly Journey[]): Promise<void> {
    const over = moved.filter(({ state }) => isTerminal(state)).map(({ id }) => id);
    if (over.length > 0) await this.journeys.finish(tx, over);
  }
}

function changesOf(
  { journey, changes }: JourneyMove,
  next: Transition | null,
  event: WebhookEventName | undefined,
): JourneyChanges {
  if (!next) throw new Fault('wrong_step');
  return {
    ...changes,
    state: next.to,
    redirectId: null,
    isReturned: false,
    stepFailures: 0,
    ...(next.reason && { outcomeReason: next.reason }),
    ...((event ?? next.event) && {
      eventSequence: journey.eventSequence + (isInstant(journey) ? 0 : 1),
    }),
  };
}

function requireMoved(moved: Journey | null): Journey {
  if (!moved) throw new Fault('wrong_step');
  return moved;
}

function eventOf(
  journey: Journey,
  name: WebhookEventName,
  { clientReferenceId }: PartnerReference,
): PublishedEvent {
  return {
    partnerId: journey.partnerId,
    journeyId: journey.id,
    applicationId: journey.applicationId,
    name,
    sequence: journey.eventSequence,
    createdAt: journey.updatedAt,
    data: {
      productCode: journey.productCode,
      channel: journey.channel,
      state: journey.state,
      // Events are stored, so this omits the redirect's URL, which opens the applicant's session. After an earlier
      // visit a step begins with waiting for the provider.
      nextAction: nextActionOf({
        state: journey.state,
        channel: journey.channel,
        isDeciding: journey.isReturned,
      }),
      outcome: outcomeOf(journey.state),
      outcomeReason: journey.outcomeReason ?? undefined,
      clientReferenceId,
    },
  };
}

import { Injectable } from '@nestjs/common';
import { redirectDefinition } from '../../journey-steps/index.js';
import type { LenderAnswer } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { Milestones } from '../progress/milestones.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { isCurrent, RedirectSteps, isToProvider, type ProviderRedirect } from './redirect-steps.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { Redirect, VerdictEvidence } from '../store/redirect.entity.js';

/** A verdict may come from any source, any number of times. */
@Injectable()
export class StepVerdict {
  constructor(
    private readonly redirects: RedirectsRepository,
    private readonly steps: RedirectSteps,
    private readonly mover: JourneyMover,
    private readonly milestones: Milestones,
  ) {}

  /**
   * @param journey locked
   * @returns false for a new verdict that is too late
   */
  async apply(
    tx: Tx,
    journey: Journey,
    redirectId: string,
    answer: LenderAnswer,
  ): Promise<boolean> {
    const redirect = await this.redirects.find(tx, journey.partnerId, redirectId);
    if (redirect?.journeyId !== journey.id || !isToProvider(redirect)) return false;
    const verdict = verdictOf(answer);
    if (verdict === null) return false;
    // Repeated, as by a callback after a poll.
    if (redirect.verdict !== null) return redirect.verdict === verdict;
    // Nothing more is stored about an erased applicant.
    const evidence = journey.applicantSealed === null ? null : evidenceOf(answer);
    await this.redirects.setVerdict(tx, redirect, verdict, evidence);
    if (!isCurrent(journey, redirect)) return false;
    await this.moveOn(tx, journey, redirect, verdict);
    return true;
  }

  private async moveOn(
    tx: Tx,
    journey: Journey,
    redirect: ProviderRedirect,
    verdict: NonNullable<Redirect['verdict']>,
  ): Promise<void> {
    const { passed, refused, maxTries, failureMilestones } = redirectDefinition(redirect.step);
    if (verdict === 'PASSED') {
      await this.mover.move(tx, journey, passed);
    } else if (verdict === 'REFUSED' || redirect.attempt >= maxTries) {
      await this.mover.move(tx, journey, refused);
    } else {
      await this.steps.open(tx, journey, redirect.step, redirect.attempt + 1);
      await this.milestones.note(tx, [journey], failureMilestones);
    }
  }
}

function verdictOf(answer: LenderAnswer): NonNullable<Redirect['verdict']> | null {
  const isVerdict =
    answer.kind === 'PASSED' || answer.kind === 'FAILED' || answer.kind === 'REFUSED';
  return isVerdict ? answer.kind : null;
}

/** Without the lender's own words, which may name the applicant. */
function evidenceOf(answer: LenderAnswer): VerdictEvidence | null {
  if (answer.kind === 'PASSED') return answer.evidence ?? null;
  return 'reason' in answer ? { reason: answer.reason } : null;
}

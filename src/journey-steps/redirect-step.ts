import { defineTexts, type TextsOf } from '../platform/index.js';
import type { StepDefinition, StepEvent, StepNeed } from './step-definition.js';

/** The texts of a redirect step. `{lender}` is its lender's legal name, `{short}` what running text calls it. */
type RedirectText =
  // The step's name in a list of what goes where.
  | 'short'
  | 'title'
  | 'lead'
  | 'button'
  | 'again'
  | 'failed'
  | 'checking'
  // The last page, when the step was refused for good.
  | 'rejectedTitle'
  | 'rejectedReason'
  // The sandbox's page in place of the provider.
  | 'providerTitle'
  | 'providerExplanation'
  | 'providerApprove'
  | 'providerDecline';

/** What will happen at the provider, for a step that shows nothing of the loan: its page opens, and what it does. */
type VisitText = 'leave' | 'act';

/** What of the loan is shown before the button, with the step's texts. */
type ShownWithTexts =
  | { readonly shows: 'NOTHING'; readonly texts: TextsOf<RedirectText | VisitText> }
  | { readonly shows: 'INSTALMENT' | 'AGREEMENT'; readonly texts: TextsOf<RedirectText> };

/** A step that the applicant does on a provider's page, as its definition gives it. */
interface RedirectStepBase {
  readonly name: string;
  readonly need: StepNeed;
  readonly state: string;
  /** The type of the next action until the applicant is back. */
  readonly redirectAction: string;
  /** The type of the next action while the provider decides. */
  readonly pollAction: string;
  /** What the lender is asked, as the audit's reader is told: "whether …". */
  readonly asks: string;
  /** The triggers of the provider's verdicts. */
  readonly passed: string;
  readonly refused: string;
  /** What is told when it has passed. */
  readonly event: StepEvent;
  /** The outcome reason when it was refused, or failed as often as it may. */
  readonly reason: string;
  /** The texts by which the applicant is told, once each, that a try has failed or the step was refused. */
  readonly failureMilestones: readonly string[];
  readonly maxTries: number;
  /** The applicant's page below `/hosted/`. */
  readonly page: string;
  /** What can be done after a rejection: keys of `steps.rejected.advice.…`. */
  readonly adviceKeys: readonly string[];
}

type RedirectTextKeys = Readonly<Record<RedirectText, string> & Partial<Record<VisitText, string>>>;

type RedirectStepGiven = RedirectStepBase & ShownWithTexts;

/** The whole definition: what is the same for all redirect steps is added. */
interface RedirectStepDefinition<Given extends RedirectStepGiven> extends StepDefinition {
  readonly name: Given['name'];
  readonly question: Given['name'];
  readonly questionPages: readonly [Given['page']];
  readonly states: readonly [
    {
      readonly name: Given['state'];
      readonly nextAction: {
        readonly type: Given['redirectAction'];
        readonly category: 'REDIRECT';
      };
      readonly whileDeciding: { readonly type: Given['pollAction']; readonly category: 'POLL' };
      readonly moves: readonly [
        {
          readonly trigger: Given['passed'];
          readonly to: 'NEXT_STEP';
          readonly event: Given['event'];
        },
        {
          readonly trigger: Given['refused'];
          readonly to: 'REJECTED';
          readonly reason: Given['reason'];
          readonly milestones: Given['failureMilestones'];
        },
      ];
      readonly isAbandonedWhenIdle: true;
      readonly page: Given['page'];
    },
  ];
  readonly redirect: Given & { readonly textKeys: RedirectTextKeys };
}

export function redirectStep<const Given extends RedirectStepGiven>(
  given: Given,
): RedirectStepDefinition<Given> {
  const { name, need, page } = given;
  return {
    name,
    need,
    question: name,
    questionPages: [page],
    states: [
      {
        name: given.state,
        nextAction: { type: given.redirectAction, category: 'REDIRECT' },
        whileDeciding: { type: given.pollAction, category: 'POLL' },
        moves: [
          { trigger: given.passed, to: 'NEXT_STEP', event: given.event },
          {
            trigger: given.refused,
            to: 'REJECTED',
            reason: given.reason,
            milestones: given.failureMilestones,
          },
        ],
        isAbandonedWhenIdle: true,
        page,
      },
    ],
    redirect: { ...given, textKeys: defineTexts(`steps.${page}`, given.texts) },
  };
}

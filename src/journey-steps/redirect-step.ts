import { defineTexts, type TextsOf } from '../platform/index.js';
import type { StepDefinition, StepEvent, StepNeed } from './step-definition.js';

/** `{lender}` is the lender's legal name, `{short}` its short name. */
type RedirectText =
  // In lists of steps.
  | 'short'
  | 'title'
  | 'lead'
  | 'button'
  | 'again'
  | 'failed'
  | 'checking'
  // The last page, after a final refusal.
  | 'rejectedTitle'
  | 'rejectedReason'
  // The sandbox's page in place of the provider's.
  | 'providerTitle'
  | 'providerExplanation'
  | 'providerApprove'
  | 'providerDecline';

/** What happens at the provider. */
type VisitText = 'leave' | 'act';

/** Shown above the button. */
type ShownWithTexts =
  | { readonly shows: 'NOTHING'; readonly texts: TextsOf<RedirectText | VisitText> }
  | { readonly shows: 'INSTALMENT' | 'AGREEMENT'; readonly texts: TextsOf<RedirectText> };

interface RedirectStepBase {
  readonly name: string;
  readonly need: StepNeed;
  readonly state: string;
  /** Next action until the applicant is back. */
  readonly redirectAction: string;
  /** Next action while the provider decides. */
  readonly pollAction: string;
  /** For the audit's reader: "whether …". */
  readonly asks: string;
  readonly passed: string;
  readonly refused: string;
  readonly event: StepEvent;
  /** After a final refusal, or the last failed try. */
  readonly reason: string;
  /** Each is sent at most once. */
  readonly failureMilestones: readonly string[];
  readonly maxTries: number;
  /** Below `/hosted/`. */
  readonly page: string;
  /** Keys of `steps.rejected.advice.…`. */
  readonly adviceKeys: readonly string[];
}

type RedirectTextKeys = Readonly<Record<RedirectText, string> & Partial<Record<VisitText, string>>>;

type RedirectStepGiven = RedirectStepBase & ShownWithTexts;

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
      readonly mayBeLeft: true;
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
        mayBeLeft: true,
        page,
      },
    ],
    redirect: { ...given, textKeys: defineTexts(`steps.${page}`, given.texts) },
  };
}

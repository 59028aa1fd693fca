import { stepDefinition, type StepQuestionPage } from '../journey-steps/index.js';
import type { HostedJourneyView } from '../journeys/index.js';

/** A page that asks for something; pages that wait or inform are not counted. */
export type QuestionPage = 'consent' | 'details' | 'check' | StepQuestionPage;

interface QuestionCount {
  readonly step: number;
  readonly of: number;
}

/** "Step 3 of 8", counted over this journey's pages; null for a page that is not counted. */
export function questionOf(
  { askedDetails, steps }: Pick<HostedJourneyView, 'askedDetails' | 'steps'>,
  page: QuestionPage,
): QuestionCount | null {
  const pages: readonly QuestionPage[] = [
    'consent',
    ...(askedDetails.length > 0 ? (['details'] as const) : []),
    'check',
    ...steps.flatMap<QuestionPage>((step) => stepDefinition(step).questionPages),
  ];
  const index = pages.indexOf(page);
  return index < 0 ? null : { step: index + 1, of: pages.length };
}

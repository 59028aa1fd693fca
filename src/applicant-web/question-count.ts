import { stepDefinition, type StepQuestionPage } from '../journey-steps/index.js';
import type { HostedJourneyView } from '../journeys/index.js';

/** A page that asks the applicant for something; those that wait or tell are not counted. */
export type QuestionPage = 'consent' | 'details' | 'check' | StepQuestionPage;

/** Where a page stands among the questions of a journey, from 1. */
export interface QuestionCount {
  readonly step: number;
  readonly of: number;
}

/**
 * "Step 3 of 8", counted over the pages that this journey has: the page of missing details, where the partner left
 * some out, and the steps of its product. Null for a page that is none of them.
 */
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

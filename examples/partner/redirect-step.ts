import { Browser } from './browser.ts';
import type { Page } from './browser.ts';
import type { NextAction } from '../../clients/node/src/index.ts';
import { sessionOf } from './journey-driver.ts';
import type { Stage, StartedJourney } from './stage.ts';

export type RedirectStep = 'KYC' | 'MANDATE' | 'ESIGN';
export type Decision = 'approve' | 'decline' | 'leave';

const PLACE_CHARACTERS = 28;

/**
 * The applicant opens the link and decides on the provider's page, as in a browser.
 * @returns the provider's page: the service's in the sandbox, the lender's elsewhere
 */
export async function visitProvider(
  stage: Stage,
  action: NextAction,
  decision: Decision,
  language: 'en' | 'hi' = 'en',
): Promise<Page> {
  if (!action.url) throw new Error(`${action.type} has no url.`);
  const browser = new Browser(language);
  stage.timeline.tell('applicant', `opens the link of ${action.type}`);
  const opened = await browser.open(action.url);
  const statement = opened.html.includes('name="keyFactsHash"') ? opened : null;
  // KYC is the first page for the applicant.
  const isFirst = action.type === 'REDIRECT_TO_KYC';
  const what = isFirst ? 'is shown before KYC' : 'is agreed to, and is not shown again';
  stage.checks.same(statement !== null, isFirst, `the Key Facts Statement ${what}`);
  if (statement) {
    const isTheirs = statement.html.includes(`<html lang="${language}"`);
    stage.checks.that(isTheirs, 'in the language that the applicant reads', language);
  }
  const page = statement ? await acknowledge(stage, browser, statement) : opened;
  const shown = page.status === 200 && page.contentType.includes('html');
  stage.checks.that(shown, `the link of ${action.type} leads to a page`, [page.status, page.url]);
  stage.timeline.tell('applicant', `presses "${decision}" on ${placeOf(page)}`);
  const after = await browser.press(page, 'decision', decision);
  const whereTo = `${after.left ? 'sent on to' : 'shown'} ${placeOf(after)}`;
  stage.checks.that(
    after.status < 400,
    `the provider took "${decision}": ${whereTo}`,
    after.status,
  );
  const isBack = after.url.searchParams.get('step') !== null;
  stage.checks.that(isBack, 'the applicant is back at the partner', after.url.href);
  return page;
}

/** An address without its secret parts. */
function placeOf({ url }: Page): string {
  return url.host + url.pathname.slice(0, PLACE_CHARACTERS);
}

/**
 * Before the first provider of a journey the service shows the Key Facts Statement of the chosen offer. The applicant
 * reads it, ticks the box and continues.
 */
async function acknowledge(stage: Stage, browser: Browser, page: Page): Promise<Page> {
  stage.timeline.tell('applicant', 'reads the Key Facts Statement and agrees to it');
  return browser.submit(page, '/r/', { hasRead: '1' });
}

/** Reports the applicant's return. It is a signal: the service asks the provider. */
export async function reportReturn(
  stage: Stage,
  journey: StartedJourney,
  step: RedirectStep,
): Promise<NextAction> {
  stage.timeline.tell('partner', `reports that the applicant is back from ${step}`);
  const { client } = stage;
  const data = await client.redirectReturned(journey.journeyId, { step }, sessionOf(journey));
  return data.nextAction;
}

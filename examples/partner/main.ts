import { RinpathClient } from '../../clients/node/src/index.ts';
import { Checks } from './checks.ts';
import { readCredentials } from './credentials.ts';
import { RawCalls } from './raw-calls.ts';
import { waitUntilReady } from './readiness.ts';
import { runGoldLoan } from './scenarios/gold-loan.ts';
import {
  runInstantLoan,
  runInstantLoanPaidAtSecondTry,
  runInstantLoanWithoutOffer,
} from './scenarios/instant-loan.ts';
import { runPersonalLoan } from './scenarios/personal-loan.ts';
import { listProducts, registerWebhook } from './scenarios/products-and-registration.ts';
import { tryRefusals } from './scenarios/refusals.ts';
import { runRejectedLoan } from './scenarios/rejected-loan.ts';
import {
  deleteWebhook,
  forgeDelivery,
  pauseWebhook,
  rotateSecret,
} from './scenarios/webhook-care.ts';
import { reconcileWebhooks } from './scenarios/webhook-reconciliation.ts';
import type { Stage } from './stage.ts';
import { describeError, runStep, within } from './story-runner.ts';
import { Timeline } from './timeline.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const STORY_BOUND_MS = 120_000;
const CLEAN_UP_BOUND_MS = 5_000;

function setStage(checks: Checks, timeline: Timeline): Stage {
  const credentials = readCredentials(process.env);
  return {
    baseUrl: credentials.baseUrl,
    client: new RinpathClient({
      ...credentials,
      onRetry: ({ reason, waitMs }) => {
        timeline.tell('partner', `${reason.message}: tries again in ${Math.round(waitMs)} ms`);
      },
    }),
    raw: new RawCalls(credentials, checks),
    receiver: new WebhookReceiver(checks, timeline),
    checks,
    timeline,
    journeys: [],
    personalData: new Set(),
    webhook: undefined,
    forgedDeliveries: 0,
  };
}

async function tellStory(stage: Stage): Promise<void> {
  stage.timeline.tell('partner', `waits for ${stage.baseUrl}`);
  await waitUntilReady(stage.baseUrl);
  stage.checks.that(true, 'the service is ready');
  await runStep(stage, 'Products', () => listProducts(stage));
  await runStep(stage, 'Webhook registration', () => registerWebhook(stage));
  const paidOut = await runStep(stage, 'Personal loan', () => runPersonalLoan(stage));
  await runStep(stage, 'Forged delivery', () => forgeDelivery(stage));
  await runStep(stage, 'Rotation of the webhook secret', () => rotateSecret(stage));
  stage.receiver.stumbleOverNextEvent();
  await runStep(stage, 'Gold loan', () => runGoldLoan(stage));
  await runStep(stage, 'Declined loan', () => runRejectedLoan(stage));
  await runStep(stage, 'Hosted journey with a paused webhook', () => pauseWebhook(stage));
  await runStep(stage, 'Instant loan', () => runInstantLoan(stage));
  await runStep(stage, 'Instant loan, paid on the second try', () =>
    runInstantLoanPaidAtSecondTry(stage),
  );
  await runStep(stage, 'Instant loan without an offer', () => runInstantLoanWithoutOffer(stage));
  await runStep(stage, 'Refusals', async () => {
    if (!paidOut) throw new Error('it needs a paid-out personal loan');
    await tryRefusals(stage, paidOut);
  });
  await runStep(stage, 'Received webhooks', () => reconcileWebhooks(stage));
  await runStep(stage, 'Deletion of the webhook', () => deleteWebhook(stage));
}

/** Without this, the service would retry the webhook in vain for two days. */
async function cleanUp(stage: Stage): Promise<void> {
  const id = stage.webhook?.subscriptionId;
  if (id) await within(CLEAN_UP_BOUND_MS, 'Cleaning up', stage.client.deleteWebhook(id));
  await stage.receiver.stop();
}

function interruption(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
    }
  });
}

async function main(): Promise<void> {
  const timeline = new Timeline();
  const checks = new Checks(timeline);
  let stage: Stage | undefined;
  try {
    stage = setStage(checks, timeline);
    const story = within(STORY_BOUND_MS, 'All steps', tellStory(stage));
    await Promise.race([story, interruption()]);
  } catch (error) {
    checks.fail(describeError(error));
  }
  try {
    if (stage) await cleanUp(stage);
  } catch (error) {
    checks.fail(describeError(error));
  }
  console.log(`\n${checks.summary()}`);
  // Exiting also ends a step that exceeded its limit.
  process.exit(checks.failed === 0 ? 0 : 1);
}

await main();

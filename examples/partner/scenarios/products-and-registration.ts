import type {
  Product,
  WebhookEvent,
  WebhookSubscription,
} from '../../../clients/node/src/index.ts';
import type { Stage } from '../stage.ts';

const ALL_EVENTS: WebhookEvent['event'][] = [
  'journey.initiated',
  'journey.offers_received',
  'journey.offer_selected',
  'journey.kyc_done',
  'journey.enach_done',
  'journey.esign_done',
  'journey.completed',
  'journey.rejected',
  'journey.abandoned',
];

const ONLINE_CODES = [
  'ONLINE_PERSONAL',
  'ONLINE_SHORT_TERM',
  'ONLINE_BUSINESS',
  'ONLINE_GOLD',
  'ONLINE_INSTANT',
];

export async function listProducts(stage: Stage): Promise<void> {
  const { products } = await stage.client.listProducts();
  for (const { code, displayName, channel, provider } of products) {
    stage.timeline.tell('service', `${code} (${channel}): ${displayName}, by ${provider}`);
  }
  const codes = products.map((product) => product.code);
  const missing = ONLINE_CODES.filter((code) => !codes.includes(code));
  stage.checks.same(missing, [], 'the five online products are listed');
  const filled = products.every(({ code, displayName, category, channel, provider, icon }) =>
    [code, displayName, category, channel, provider, icon].every((text) => Boolean(text)),
  );
  stage.checks.that(filled, 'every product has all six fields');
  const short = await stage.raw.call<{ products: Product[] }>('GET', '/products', {
    prefix: '/v1/partner',
  });
  stage.checks.same(short, { products }, 'the path without /api gives the same list');
}

export async function registerWebhook(stage: Stage): Promise<void> {
  const url = await stage.receiver.start();
  stage.timeline.tell('partner', `listens on ${url}`);
  let subscriptionId = '';
  const firstSecret = await stage.receiver.changeSecret(async () => {
    const data = await stage.client.registerWebhook({ url, events: ALL_EVENTS });
    subscriptionId = data.subscriptionId;
    return data.secret;
  });
  stage.webhook = { subscriptionId, url, firstSecret };
  stage.checks.that(/^whsec_[\w+/=-]+$/.test(firstSecret), 'the secret starts with whsec_');
  const listed = await findSubscription(stage);
  stage.checks.that(listed?.url === url && listed.isActive, 'the webhook is listed and active');
  const missing = ALL_EVENTS.filter((event) => !listed?.subscribedEvents.includes(event));
  stage.checks.same(missing, [], 'the webhook is subscribed to all nine events');
  const leaks = JSON.stringify(listed ?? {}).includes('whsec_');
  stage.checks.that(listed !== undefined && !leaks, 'the list does not show the secret');
}

export async function findSubscription(stage: Stage): Promise<WebhookSubscription | undefined> {
  const { subscriptions } = await stage.client.listWebhooks();
  const id = stage.webhook?.subscriptionId;
  return subscriptions.find((subscription) => subscription.subscriptionId === id);
}

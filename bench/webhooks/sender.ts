import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { built, MASTER_KEY } from '../support/built-service.ts';

type Platform = typeof import('../../src/platform/index.js');
type Sender = typeof import('../../src/webhooks/sender/delivery-sender.js');
type Figures = typeof import('../../src/webhooks/webhook-metrics.js');
type WakeUp = typeof import('../../src/webhooks/sender/sender-wake-up.js');
type Secrets = typeof import('../../src/webhooks/subscriptions/subscription-secrets.js');
type Settings = typeof import('../../src/settings/index.js');
type Webhooks = typeof import('../../src/webhooks/index.js');
type Events = typeof import('../../src/webhooks/store/events.repository.js');
type Root = typeof import('../../src/schema.js');

type Publisher = InstanceType<Webhooks['EventPublisher']>;
export type PublishedEvent = Parameters<Publisher['publishAll']>[1][number];

/** The service's sender, running on a database. */
export interface RunningSender {
  /** Makes a secret into its column's text. */
  seal(secret: string): string;
  /** Number of deliveries recorded as succeeded since the start. */
  recorded(): Promise<number>;
  /** As the service does after a commit. */
  wake(): void;
  /** One event in its own transaction. */
  publish(event: PublishedEvent): Promise<void>;
  close(): Promise<void>;
}

/** Assembled by hand, without the rest of the service; only the brand is replaced. */
export async function makeSender(databaseUrl: string): Promise<RunningSender> {
  const platform = await built<Platform>('src/platform/index.js');
  const { ServiceSettings } = await built<Settings>('src/settings/index.js');
  const { providers, DeliverySender, SenderWakeUp, EventPublisher, WebhookMetrics } =
    await webhooks();
  const { masterKeys } = platform.parseEnvironment({ MASTER_KEY });
  const keyring = new platform.Keyring(masterKeys);
  const database = new platform.Database(await migrated(platform, databaseUrl));
  const outbound = new platform.OutboundThread({ isLoopback: true } as never);
  const module = await Test.createTestingModule({
    providers: [
      ...providers,
      platform.IdGenerator,
      platform.RandomSource,
      platform.Metrics,
      platform.SystemClock,
      platform.ClockDifference,
      platform.DuePoller,
      platform.DueTimes,
      { provide: platform.Clock, useClass: platform.OffsetClock },
      { provide: platform.Keyring, useValue: keyring },
      { provide: platform.Database, useValue: database },
      { provide: platform.OutboundThread, useValue: outbound },
      {
        provide: ServiceSettings,
        useValue: { brand: () => Promise.resolve({ slug: 'rinpath' }) },
      },
    ],
  }).compile();
  await module.init();
  return {
    seal: (secret) => keyring.seal(secret, 'webhook_subscriptions.secret'),
    recorded: async () => {
      const { values } = await module.get(WebhookMetrics).attempts.get();
      return values.find(({ labels }) => labels.outcome === 'succeeded')?.value ?? 0;
    },
    wake: () => module.get(SenderWakeUp).raise(),
    publish: async (event) => {
      await database.transaction((tx) => module.get(EventPublisher).publishAll(tx, [event]));
    },
    close: async () => {
      await module.get(DeliverySender).stop();
      await module.close();
      await outbound.onApplicationShutdown();
      if (database.dataSource.isInitialized) await database.dataSource.destroy();
    },
  };
}

/** The modules, each from its file. */
async function webhooks() {
  const { DeliverySender, SENDER_PROVIDERS } = await built<Sender>(
    'src/webhooks/sender/delivery-sender.js',
  );
  const { WebhookMetrics } = await built<Figures>('src/webhooks/webhook-metrics.js');
  const { SenderWakeUp } = await built<WakeUp>('src/webhooks/sender/sender-wake-up.js');
  const { SubscriptionSecrets } = await built<Secrets>(
    'src/webhooks/subscriptions/subscription-secrets.js',
  );
  const { EventPublisher } = await built<Webhooks>('src/webhooks/index.js');
  const { EventsRepository } = await built<Events>('src/webhooks/store/events.repository.js');
  return {
    providers: [
      ...SENDER_PROVIDERS,
      SubscriptionSecrets,
      SenderWakeUp,
      EventPublisher,
      EventsRepository,
    ],
    DeliverySender,
    SenderWakeUp,
    EventPublisher,
    WebhookMetrics,
  };
}

async function migrated(platform: Platform, url: string): Promise<DataSource> {
  const { SCHEMA } = await built<Root>('src/schema.js');
  const options = { url, poolSize: 10, ...SCHEMA };
  const dataSource = new DataSource(platform.dataSourceOptions(options));
  await dataSource.initialize();
  await platform.prepareDatabase(dataSource, 'sandbox', SCHEMA);
  return dataSource;
}

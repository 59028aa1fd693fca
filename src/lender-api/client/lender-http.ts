import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, GuardedClient, InjectEnvironment } from '../../platform/index.js';
import { ClientKeys, type Lender } from '../../settings/index.js';
import { LenderCertificates } from './lender-certificates.js';

/** Longer than any call. */
const CLOSE_AFTER_MS = 20_000;

interface Kept {
  readonly client: GuardedClient;
  readonly madeFrom: readonly unknown[];
}

/** One client a lender: a hanging lender blocks no other at the same host. Each sees its own client certificate. */
@Injectable()
export class LenderHttp implements OnApplicationShutdown {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly clientKeys: ClientKeys,
    @InjectEnvironment
    private readonly environment: Pick<Environment, 'isLoopback' | 'privateNetworks'>,
    private readonly certificates: LenderCertificates,
  ) {}

  clientOf(lender: Lender): GuardedClient {
    const kept = this.kept.get(lender.code);
    const madeFrom = [
      lender.remote?.certificate ?? null,
      lender.clientKeySealed,
      lender.remote?.limits.callsAtOnce,
    ];
    if (kept?.madeFrom.every((part, index) => part === madeFrom[index])) return kept.client;
    if (kept) closeLater(kept.client);
    const client = this.make(lender);
    this.kept.set(lender.code, { client, madeFrom });
    return client;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.kept.values()].map(({ client }) => client.close()));
  }

  private make({ code, remote, clientKeySealed }: Lender): GuardedClient {
    const { isLoopback, privateNetworks } = this.environment;
    return new GuardedClient(isLoopback, {
      privateNetworks,
      maxConnections: remote?.limits.callsAtOnce ?? null,
      onServerCertificate: (host, validTo) => this.certificates.seen(code, host, validTo),
      ...(remote?.certificate &&
        clientKeySealed && {
          certificate: {
            certificate: remote.certificate,
            privateKey: this.clientKeys.open(clientKeySealed),
          },
        }),
    });
  }
}

function closeLater(client: GuardedClient): void {
  setTimeout(() => void client.close(), CLOSE_AFTER_MS).unref();
}

import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, RandomSource, sha256, Tx } from '../../platform/index.js';
import { HostedLinksRepository, type HostedLinkState } from '../store/hosted-links.repository.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';

/** Links are single-use and stored as hashes. */
@Injectable()
export class HostedLinks {
  constructor(
    private readonly links: HostedLinksRepository,
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @returns the URL: the only time that the token is in the clear */
  async issue(tx: Tx, journey: Journey): Promise<string> {
    const [url] = await this.issueAll(tx, [journey]);
    return url;
  }

  async issueAll(tx: Tx, journeys: readonly Journey[]): Promise<string[]> {
    const tokens = journeys.map(() => this.random.token());
    await this.links.insertAll(
      tx,
      journeys.map(({ id, partnerId }, index) => ({
        tokenHash: sha256(tokens[index]),
        partnerId,
        journeyId: id,
      })),
    );
    return tokens.map((token) => `${this.environment.baseUrl}/hosted/start/${token}`);
  }

  /** Null for an unknown link. */
  stateOf(tx: Tx, token: string): Promise<HostedLinkState | null> {
    return this.links.stateOf(tx, sha256(token));
  }

  /** Only the first caller gets the owner; null for the others. */
  use(tx: Tx, token: string): Promise<HostedKey | null> {
    return this.links.use(tx, sha256(token));
  }
}

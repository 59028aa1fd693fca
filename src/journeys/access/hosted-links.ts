import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, RandomSource, sha256, Tx } from '../../platform/index.js';
import {
  HostedLinksRepository,
  type HostedLinkState,
  type LinkOwner,
} from '../store/hosted-links.repository.js';
import type { Journey } from '../store/journey.entity.js';

/** The single-use links by which applicants come to a hosted journey; stored as hashes. */
@Injectable()
export class HostedLinks {
  constructor(
    private readonly links: HostedLinksRepository,
    private readonly random: RandomSource,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Makes a fresh link and answers its URL: the only time that the token is in the clear. */
  async issue(tx: Tx, journey: Journey): Promise<string> {
    const [url] = await this.issueAll(tx, [journey]);
    return url;
  }

  /** A fresh link for each journey, in their order. */
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

  /** How a link stands, without using it up, and whose it is; null when it is not one of ours. */
  stateOf(tx: Tx, token: string): Promise<HostedLinkState | null> {
    return this.links.stateOf(tx, sha256(token));
  }

  /** Uses a fresh link up, once among all who try, and answers its journey. */
  use(tx: Tx, token: string): Promise<LinkOwner | null> {
    return this.links.use(tx, sha256(token));
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, RandomSource, sha256, Tx } from '../../platform/index.js';
import {
  HostedLinksRepository,
  type HostedLinkState,
  type LinkOwner,
} from '../store/hosted-links.repository.js';
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
  async issue(tx: Tx, { id: journeyId, partnerId }: Journey): Promise<string> {
    const token = this.random.token();
    await this.links.insert(tx, { tokenHash: sha256(token), partnerId, journeyId });
    return `${this.environment.baseUrl}/hosted/start/${token}`;
  }

  /** Null for an unknown link. */
  stateOf(tx: Tx, token: string): Promise<HostedLinkState | null> {
    return this.links.stateOf(tx, sha256(token));
  }

  /** Only the first caller gets the owner; null for the others. */
  use(tx: Tx, token: string): Promise<LinkOwner | null> {
    return this.links.use(tx, sha256(token));
  }
}

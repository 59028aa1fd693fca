import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type Asset, ENVIRONMENT, type Environment, keptAsset } from '../platform/index.js';
import {
  apiDocument,
  type DescribedCalls,
  describeCalls,
  type KnownWords,
} from './build-document.js';
import { type Brand, ServiceSettings } from '../settings/index.js';

@Injectable()
export class ApiDocument {
  private describing?: () => DescribedCalls;
  private calls?: DescribedCalls;
  private kept?: { readonly brand: Brand; readonly asset: Asset };

  constructor(
    private readonly settings: ServiceSettings,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Reading the calls takes a third of a start, and most processes never serve the document: they
   * are read at its first request.
   */
  describe(app: INestApplicationContext, words: KnownWords): void {
    this.describing = () => describeCalls(app, words);
  }

  async read(): Promise<OpenAPIObject> {
    return this.documentFor(await this.settings.brand());
  }

  /** Made once for each brand, since it is public. */
  async asset(): Promise<Asset> {
    const brand = await this.settings.brand();
    // The operator may rename the service while it runs.
    if (this.kept?.brand !== brand) {
      const bytes = Buffer.from(JSON.stringify(this.documentFor(brand)));
      this.kept = { brand, asset: keptAsset('application/json; charset=utf-8', bytes) };
    }
    return this.kept.asset;
  }

  private documentFor(brand: Brand): OpenAPIObject {
    if (!this.describing) throw new Error('describe() has not been called');
    this.calls ??= this.describing();
    return apiDocument(this.calls, this.environment.baseUrl, brand);
  }
}

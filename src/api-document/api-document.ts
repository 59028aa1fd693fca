import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type Asset, ENVIRONMENT, type Environment, keptAsset } from '../platform/index.js';
import { apiDocument, type DescribedCalls, describeCalls } from './build-document.js';
import type { KnownWords } from './known-words.js';
import { type Brand, ServiceSettings } from '../settings/index.js';

/** The OpenAPI document of this deployment. */
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
   * Takes the application when it has been built. Its calls are read at the first request for the document:
   * that takes a third of the time of a start, and most processes are never asked for it.
   */
  describe(app: INestApplicationContext, words: KnownWords): void {
    this.describing = () => describeCalls(app, words);
  }

  async read(): Promise<OpenAPIObject> {
    return this.documentFor(await this.settings.brand());
  }

  /** As a file. Nobody needs a key to ask for it, so its bytes are made once. */
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

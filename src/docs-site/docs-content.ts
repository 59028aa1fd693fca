import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ApiDocument } from '../api-document/index.js';
import { type Asset, ENVIRONMENT, type Environment } from '../platform/index.js';
import { type Brand, demonstrationKey, ServiceSettings } from '../settings/index.js';
import { DocsSearch } from './docs-search.js';
import { type Guide, readGuides } from './guides.js';
import { type Reference, referenceOf } from './reference.js';

const MAX_SEARCHED = 200;

/** Everything that the site shows under one brand. */
export interface Docs {
  readonly guides: readonly Guide[];
  readonly reference: Reference;
  readonly search: DocsSearch;
  /** Pages that were drawn, by what they show: the same for everybody. */
  readonly drawn: Map<string, Asset>;
  /** Pages of searches, by their words. */
  readonly searched: LRUCache<string, Asset>;
}

/** Makes the site at the first look at it: most processes are never asked for it, and it takes a while. */
@Injectable()
export class DocsContent {
  private kept?: { readonly brand: Brand; readonly docs: Promise<Docs> };

  constructor(
    private readonly document: ApiDocument,
    private readonly settings: ServiceSettings,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async read(): Promise<Docs> {
    const brand = await this.settings.brand();
    // The operator may rename the service while it runs.
    if (this.kept?.brand !== brand) this.kept = { brand, docs: this.make() };
    return this.kept.docs;
  }

  private async make(): Promise<Docs> {
    const { mode, isLoopback, configFile, baseUrl } = this.environment;
    const isPrefilled = mode === 'sandbox' && isLoopback;
    const key = isPrefilled ? demonstrationKey(configFile) : undefined;
    // What the guides try, they try in a sandbox: production shows the address of one's own.
    const guides = readGuides({ ...(mode === 'sandbox' && { baseUrl }), ...key });
    const reference = referenceOf(await this.document.read());
    const search = new DocsSearch(guides, reference);
    const searched = new LRUCache<string, Asset>({ max: MAX_SEARCHED });
    return { guides, reference, search, drawn: new Map(), searched };
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ApiDocument, dayOf } from '../api-document/index.js';
import {
  type Asset,
  Clock,
  type Environment,
  InjectEnvironment,
  keptAsset,
  projectPath,
} from '../platform/index.js';
import {
  type Brand,
  type DemonstrationKey,
  demonstrationKey,
  ServiceSettings,
} from '../settings/index.js';
import { DocsSearch } from './docs-search.js';
import { readGuides } from './guides.js';
import { referenceOf } from './reference.js';
import { type SiteMap, siteMapOf } from './site-map.js';

const MAX_SEARCHED = 200;

export interface Docs extends SiteMap {
  readonly search: DocsSearch;
  /** By address; identical for every reader. */
  readonly drawn: Map<string, Asset>;
  /** By query. */
  readonly searched: LRUCache<string, Asset>;
}

/** Built at the first request: this is slow, and most processes never serve it. */
@Injectable()
export class DocsContent {
  private kept?: { readonly brand: Brand; readonly day: string; readonly docs: Promise<Docs> };

  constructor(
    private readonly document: ApiDocument,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  async read(): Promise<Docs> {
    const brand = await this.settings.brand();
    const day = dayOf(this.clock.now());
    // The operator may rename the service while it runs, and the examples change with the day.
    if (this.kept?.brand !== brand || this.kept.day !== day) {
      this.kept = { brand, day, docs: this.make(brand) };
    }
    return this.kept.docs;
  }

  private async make({ displayName: name }: Brand): Promise<Docs> {
    const { mode, baseUrl } = this.environment;
    const key = prefilledKey(this.environment);
    // The guides use a sandbox; production shows a placeholder address.
    const now = this.clock.now();
    const guides = readGuides({ ...(mode === 'sandbox' && { baseUrl }), ...key }, now);
    const reference = referenceOf(await this.document.read());
    const search = new DocsSearch(guides, reference);
    const searched = new LRUCache<string, Asset>({ max: MAX_SEARCHED });
    const map = siteMapOf(guides, reference, { isSandbox: mode === 'sandbox', name });
    return { ...map, search, drawn: new Map(), searched };
  }
}

/** Undefined except on a developer's machine; the key is public in the repository. */
export function prefilledKey(environment: Environment): DemonstrationKey | undefined {
  const { mode, isLoopback, configFile } = environment;
  return mode === 'sandbox' && isLoopback ? demonstrationKey(configFile) : undefined;
}

const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** What the page that tries calls loads. Read at the first request: most processes never serve it. */
@Injectable()
export class DocsAssets {
  private files?: ReadonlyMap<string, Asset>;

  find(file: string): Asset | undefined {
    this.files ??= readFiles();
    return this.files.get(file);
  }
}

function readFiles(): Map<string, Asset> {
  const { resolve } = createRequire(import.meta.url);
  const ofSwaggerUi = (file: string) => resolve(`swagger-ui-dist/${file}`);
  const ours = (file: string) => projectPath(`views/assets/docs/${file}`);
  const files: [name: string, path: string, contentType: string][] = [
    ['swagger-ui-bundle.js', ofSwaggerUi('swagger-ui-bundle.js'), SCRIPT],
    ['swagger-ui.css', ofSwaggerUi('swagger-ui.css'), STYLE],
    ['page.css', ours('page.css'), STYLE],
    ['page.js', ours('page.js'), SCRIPT],
    ['request-signer.js', ours('request-signer.js'), SCRIPT],
  ];
  return new Map(files.map(([name, path, type]) => [name, keptAsset(type, readFileSync(path))]));
}

import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';
import {
  type Asset,
  Clock,
  type Environment,
  InjectEnvironment,
  keptAsset,
} from '../platform/index.js';
import { type Brand, ServiceSettings } from '../settings/index.js';
import { dayOf, withRecentMoments } from './recent-moments.js';

export const PARTNER_DOCUMENT = '/openapi.json';
/** The same document, in YAML. */
export const PARTNER_YAML = '/openapi.yaml';
export const LENDER_DOCUMENT = '/lender-api/openapi.json';

/** No folded lines, and no YAML anchors for shared parts. */
const YAML = { lineWidth: 0, aliasDuplicateObjects: false };

type Address = typeof PARTNER_DOCUMENT | typeof LENDER_DOCUMENT;

/** The maker of each document, by the address that serves it. */
export type DocumentMakers = Readonly<
  Record<Address, (brand: Brand, baseUrl: string) => OpenAPIObject>
>;

@Injectable()
export class ApiDocument {
  private makers?: DocumentMakers;
  private kept?: {
    readonly brand: Brand;
    readonly day: string;
    readonly assets: Map<string, Asset>;
  };

  constructor(
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  describe(makers: DocumentMakers): void {
    this.makers = makers;
  }

  async read(): Promise<OpenAPIObject> {
    return JSON.parse(this.textOf(PARTNER_DOCUMENT, await this.settings.brand())) as OpenAPIObject;
  }

  /** Cached per brand and day. */
  async asset(address: Address | typeof PARTNER_YAML): Promise<Asset> {
    const brand = await this.settings.brand();
    const day = dayOf(this.clock.now());
    // The operator may rename the service while it runs.
    if (this.kept?.brand !== brand || this.kept.day !== day) {
      this.kept = { brand, day, assets: new Map() };
    }
    const { assets } = this.kept;
    const asset = assets.get(address) ?? this.made(address, brand);
    assets.set(address, asset);
    return asset;
  }

  private made(address: Address | typeof PARTNER_YAML, brand: Brand): Asset {
    if (address === PARTNER_YAML) {
      const text = stringify(JSON.parse(this.textOf(PARTNER_DOCUMENT, brand)), YAML);
      return keptAsset('application/yaml; charset=utf-8', Buffer.from(text));
    }
    const text = this.textOf(address, brand);
    return keptAsset('application/json; charset=utf-8', Buffer.from(text));
  }

  private textOf(address: Address, brand: Brand): string {
    if (!this.makers) throw new Error('describe() has not been called');
    const text = JSON.stringify(this.makers[address](brand, this.environment.baseUrl));
    return address === PARTNER_DOCUMENT ? withRecentMoments(text, this.clock.now()) : text;
  }
}

/**
 * Yardstick (b): Nest on Express as in tutorials. A guard looks up the key and checks the signature. Nonces are written
 * through a repository, the throttler has its own storage, and TypeORM reads entities with relations. It is compiled
 * first, since decorators need more than type stripping.
 */
import 'reflect-metadata';
import {
  CanActivate,
  Controller,
  ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  Repository,
} from 'typeorm';
import { nonceOf, settings } from './hand-written.js';

const given = settings();

@Entity('yardstick_nonces')
class Nonce {
  @PrimaryColumn('text', { name: 'key_id' }) keyId: string;
  @PrimaryColumn('uuid') nonce: string;
  @Column('timestamptz', { name: 'seen_at' }) seenAt: Date;
}

@Entity('api_keys')
class Key {
  @PrimaryColumn('text') id: string;
  @Column('text', { name: 'partner_id' }) partnerId: string;
  @Column('text') name: string;
  @Column('text') status: string;
}

@Entity('products')
class Product {
  @PrimaryColumn('text') code: string;
  @Column('integer') position: number;
  @Column('text', { name: 'display_name' }) displayName: string;
  @Column('text') category: string;
  @Column('text') channel: string;
  @Column('text') provider: string;
  @Column('text') icon: string;
  @Column('boolean', { name: 'is_enabled' }) isEnabled: boolean;
}

@Entity('journeys')
class Journey {
  @PrimaryColumn('text') id: string;
  @Column('text', { name: 'partner_id' }) partnerId: string;
  @Column('text', { name: 'application_id' }) applicationId: string;
  @Column('text', { name: 'product_code' }) productCode: string;
  @Column('text') channel: string;
  @Column('text') state: string;
  @Column('bigint', { name: 'loan_amount' }) loanAmount: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
  @OneToMany(() => Offer, (offer) => offer.journey) offers: Offer[];
}

@Entity('journey_offers')
class Offer {
  @PrimaryColumn('text') id: string;
  @ManyToOne(() => Journey, (journey) => journey.offers)
  @JoinColumn({ name: 'journey_id' })
  journey: Journey;
  @Column('text', { name: 'seller_name' }) sellerName: string;
  @Column('bigint') principal: string;
  @Column('bigint', { name: 'minimum_amount' }) minimumAmount: string;
  @Column('jsonb') figures: Record<string, number>;
  @Column('timestamptz', { name: 'valid_until' }) validUntil: Date;
}

@Injectable()
class SignatureGuard implements CanActivate {
  constructor(
    @InjectRepository(Key) private readonly keys: Repository<Key>,
    @InjectRepository(Nonce) private readonly nonces: Repository<Nonce>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest();
    const key = await this.keys.findOneBy({ partnerId: given.partnerId, name: 'demo-load' });
    if (!key || key.status !== 'ACTIVE') throw new UnauthorizedException();
    const nonce = nonceOf(given, request.method, request.originalUrl, request.headers, '');
    if (nonce === null) throw new UnauthorizedException();
    if (await this.nonces.findOneBy({ keyId: key.id, nonce })) throw new UnauthorizedException();
    await this.nonces.insert({ keyId: key.id, nonce, seenAt: new Date() });
    request.key = key;
    return true;
  }
}

class KeyThrottler extends ThrottlerGuard {
  protected override getTracker(): Promise<string> {
    return Promise.resolve(given.apiKey);
  }
}

@Controller('api/v1/partner')
@UseGuards(SignatureGuard, KeyThrottler)
class PartnerController {
  constructor(
    @InjectRepository(Journey) private readonly journeys: Repository<Journey>,
    @InjectRepository(Product) private readonly products: Repository<Product>,
  ) {}

  @Get('products')
  async list() {
    const products = await this.products.find({
      where: { isEnabled: true },
      order: { position: 'ASC' },
    });
    return { success: true, data: { products } };
  }

  @Get('journey/:id')
  async read(@Param('id') id: string) {
    const journey = await this.journeys.findOne({
      where: { id, partnerId: given.partnerId },
      relations: { offers: true },
    });
    if (!journey) throw new NotFoundException();
    return { success: true, data: journey };
  }
}

const ENTITIES = [Nonce, Key, Product, Journey, Offer];

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: given.databaseUrl,
      entities: ENTITIES,
      poolSize: given.poolSize,
    }),
    TypeOrmModule.forFeature(ENTITIES),
    ThrottlerModule.forRoot({
      throttlers: [
        { name: 'minute', ttl: 60_000, limit: 1_000_000 },
        { name: 'day', ttl: 86_400_000, limit: 10_000_000 },
      ],
    }),
  ],
  controllers: [PartnerController],
})
class PlainModule {}

const app = await NestFactory.create(PlainModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.send?.({ port: app.getHttpServer().address().port });

import { Injectable } from '@nestjs/common';
import { Signal } from '../../platform/index.js';

/** Raised in this process when there may be deliveries to send; the sender listens. */
@Injectable()
export class DeliveriesDue extends Signal {}

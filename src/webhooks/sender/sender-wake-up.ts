import { Injectable } from '@nestjs/common';
import { Signal } from '../../platform/index.js';

/** Raised in this process when there may be deliveries to send: wakes its sender, and those of replicas. */
@Injectable()
export class SenderWakeUp extends Signal {}

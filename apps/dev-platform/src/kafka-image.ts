export const KAFKA_IMAGE = 'apache/kafka:4.3.1';

import { markdownTable } from '../bench/markdown-table.ts';
import type { FaceAgreement, ObjectAgreement } from './measure-agreement.ts';
import type { GroupingScore } from './grouping.ts';
import type { GroupFigures } from './measure-groups.ts';
import type { OpenSetFigures } from './measure-open-set.ts';
import type { FacePackFigures, PackFigures } from './measure-pack.ts';
import type { OpenSetPoint } from './open-set.ts';
import type { ServiceFigures } from './measure-service.ts';
import type { TurnedFigures } from './measure-turned.ts';
import type { VerificationFigures } from './measure-verification.ts';

/** The contents of the photos of objects. */
const IN_THE_PHOTO = new Map([
  ['objects/bus.jpg', '4 people, 1 bus'],
  ['objects/dog.jpg', '1 dog, 1 bicycle, 1 truck'],
  ['objects/horses.jpg', '6 horses, some hidden'],
]);

/** The names of the folders of photos of faces. */
const KINDS = new Map([
  ['people', 'photos of people'],
  ['lfw', 'LFW photos'],
]);

/** Renders the figures of a pack as Markdown without a headline. */
export function renderFigures(figures: PackFigures): string {
  return figures.task === 'face' ? renderFaces(figures) : renderObjects(figures.objects);
}

function renderFaces(figures: FacePackFigures): string {
  const { verification, openSet, groups, service, detection, portraits, turned } = figures;
  return [
    renderVerification(verification),
    renderCalibration(verification),
    renderIdentification(verification),
    renderOpenSet(openSet),
    renderExtrapolation(openSet),
    renderGroups(groups),
    renderService(service),
    renderDetection(detection, portraits),
    renderTurnedFaces(turned),
    renderTurnedProbes(turned),
    renderAttributes([...detection, ...portraits]),
  ].join('\n\n');
}

function renderVerification(figures: VerificationFigures): string {
  const { pairs, atRates, photos, people, withoutFace, withSeveralFaces } = figures;
  const rows = atRates.map(({ rate, threshold, similarity, trueMatchRate }) => [
    String(rate),
    threshold.toFixed(3),
    similarity.toFixed(3),
    percentOf(trueMatchRate, pairs.genuine),
  ]);
  const paths = withoutFace.map(({ path }) => path).join(', ');
  return `Is it the same person? All pairs of ${photos} LFW photos of ${people} people (${number(pairs.genuine)} of one
person, ${number(pairs.impostor)} of two), with the face in the middle of each. Photos in which no face was found:
${withoutFace.length}${paths && ` (${paths})`}, and several: ${withSeveralFaces}. A pair with a photo without a face does not match.

${markdownTable(['false match rate, at most', 'cosine', 'similarity', 'true match rate'], rows)}

Equal error rate: ${percent(figures.equalErrorRate)}.`;
}

function renderCalibration(figures: VerificationFigures): string {
  const { pairs, atSimilarities, calibrated, highestImpostor } = figures;
  const rows = atSimilarities.map(({ threshold, falseMatchRate, trueMatchRate }) => [
    threshold.toFixed(1),
    falseMatches(falseMatchRate, pairs.impostor),
    percentOf(trueMatchRate, pairs.genuine),
  ]);
  const scale = calibrated
    ? 'The pack maps cosines to similarities.'
    : 'The pack has no calibration: its similarities are cosines.';
  return `The same pairs, by the similarity that the service answers. ${scale} The most similar
two people: ${highestImpostor.similarity.toFixed(3)} (cosine ${highestImpostor.cosine.toFixed(3)}).

${markdownTable(['similarity, at least', 'false match rate', 'true match rate'], rows)}`;
}

function renderIdentification({ rankOne }: VerificationFigures): string {
  const rows = rankOne.map(({ enrolled, probes, right }) => [
    String(enrolled),
    String(probes),
    share(right, probes),
  ]);
  return `Identification of 30 people with five photos: some are enrolled, the others looked up; every choice of photos
in a row.

${markdownTable(['photos enrolled of each', 'looked up', 'right person first'], rows)}`;
}

function renderOpenSet({ people, draws, measured }: OpenSetFigures): string {
  const cell = ({ identified, wrong, accepted }: OpenSetPoint) =>
    [identified, wrong, accepted].map((rate) => (100 * rate).toFixed(1)).join(' / ');
  const rows = measured[0]!.points.map(({ threshold }, row) => [
    threshold.toFixed(1),
    ...measured.map(({ points }) => cell(points[row]!)),
  ]);
  const columns = measured.map(({ enrolled }) => `${enrolled} enrolled`);
  return `An open set: of the ${people} people some are enrolled, by one photo each; their other photos
are looked up, and one photo of each of the others, the strangers. The mean of ${draws} random choices, in percent:
identified / named wrongly / strangers taken for an enrolled person.

${markdownTable(['similarity, at least', ...columns], rows)}`;
}

function renderExtrapolation({ extrapolated }: OpenSetFigures): string {
  const rows = extrapolated[0]!.accepted.map(({ threshold }, row) => [
    threshold.toFixed(1),
    ...extrapolated.map(({ accepted }) => smallPercent(accepted[row]!.share)),
  ]);
  const columns = extrapolated.map(({ enrolled }) => `${number(enrolled)} enrolled`);
  return `Strangers who would be taken for an enrolled person among more people, extrapolated, not measured: an exponential tail is
fitted to the most similar hundredth of the pairs of two people (peaks over a threshold), and people are taken to be
independent.

${markdownTable(['similarity, at least', ...columns], rows)}`;
}

function renderGroups({ faces, people, points }: GroupFigures): string {
  const cell = ({ precision, recall, f }: GroupingScore) =>
    [precision, recall, f].map((value) => value.toFixed(3)).join(' / ');
  const rows = points.map(({ threshold, service, dbscan, whispers }) => [
    threshold.toFixed(1),
    ...[service, dbscan, whispers].map(cell),
  ]);
  return `Groups of strangers: the ${number(faces)} faces of all ${people} people, none of whom is enrolled. Precision / recall / F over
all pairs of faces, beside two methods that other services use, on the same embeddings.

${markdownTable(['similarity, at least', 'Sightline', 'DBSCAN', 'Chinese Whispers'], rows)}`;
}

function renderService(figures: ServiceFigures): string {
  const { people, probes, first, assigned, wrong } = figures;
  const { strangers, falseAccepts, highestOfStrangers } = figures;
  const rows = [
    ['right person first', share(first, probes)],
    ['assigned to the right person', share(assigned, probes)],
    ['assigned to another person', share(wrong, probes)],
    ['strangers assigned to a person', share(falseAccepts, strangers)],
    ['highest similarity of a stranger', highestOfStrangers.toFixed(3)],
  ];
  return `The same through the API of a running service with default settings (match threshold 0.5): one photo
of each of ${people} people enrolled, their ${probes} other photos and ${strangers} strangers identified.

${markdownTable(['through the API', ''], rows)}`;
}

function renderDetection(
  people: readonly FaceAgreement[],
  portraits: readonly FaceAgreement[],
): string {
  const row = (what: string, figures: FaceAgreement) => [
    `${figures.photos} ${what}`,
    figures.reference,
    ...[figures.faces, figures.found, figures.missed, figures.extra].map(String),
    figures.medianOverlap?.toFixed(3) ?? '',
    figures.leastCosine?.toFixed(4) ?? '',
  ];
  const rows = [
    ...people.map((figures) => row('photos of people', figures)),
    ...portraits.map((figures) => row('LFW photos', figures)),
  ];
  return `Faces found with default settings, beside what reference implementations find: a face is the same
from an intersection over union (IoU) of 0.5 on. \`cosine\` is the least one between embeddings of the same
face by the same model.

${markdownTable(
  ['photos', 'reference', 'its faces', 'found', 'missed', 'extra', 'median IoU', 'cosine'],
  rows,
)}`;
}

function renderTurnedFaces({ detection }: TurnedFigures): string {
  const rows = detection.map(({ photos, folder, turn, ...figures }) => [
    `${photos} ${KINDS.get(folder) ?? folder}`,
    `${turn}°`,
    String(figures.faces),
    share(figures.found, figures.faces),
    share(figures.rightAngle, figures.found),
    String(figures.extra),
  ]);
  return `Photos that lie on their side or upside down: each photo is turned clockwise without loss and without EXIF
data, and its faces are compared with those of the photo as it is. A face is the same from an IoU of 0.5 on, after its
box was turned back; its angle is right if \`turned\` says how the photo was turned.

${markdownTable(['photos', 'turned by', 'faces upright', 'found', 'right angle', 'extra'], rows)}`;
}

function renderTurnedProbes({ rankOne }: TurnedFigures): string {
  const rows = rankOne.map(({ turn, enrolled, probes, upright, turned }) => [
    `${turn}°`,
    String(enrolled),
    share(upright, probes),
    share(turned, probes),
    (turned / upright).toFixed(3),
  ]);
  return `Turned photos are identified, too: upright photos of the 30 people are enrolled, and the others looked up: as they
are, and turned. The aim is a ratio of at least 0.98.

${markdownTable(
  ['turned by', 'photos enrolled of each', 'right person first, upright', 'turned', 'ratio'],
  rows,
)}`;
}

function renderAttributes(agreements: readonly FaceAgreement[]): string {
  const described = agreements.flatMap(({ attributes }) => attributes ?? []);
  if (described.length === 0)
    return 'Age and gender: this pack has none, or there is no reference.';
  const faces = described.reduce((sum, agreement) => sum + agreement.faces, 0);
  const same = described.reduce((sum, { sameGender }) => sum + sameGender, 0);
  const medians = described.map(({ medianAgeDifference }) => medianAgeDifference.toFixed(1));
  const largest = Math.max(...described.map(({ largestAgeDifference }) => largestAgeDifference));
  return `Age and gender have no labels here: what follows is agreement with the reference implementation, not
accuracy. The same gender on ${share(same, faces)} faces; ages apart by ${medians.join(' and ')} years (median,
photos of people and LFW), by ${largest.toFixed(1)} at most.`;
}

function renderObjects(agreements: readonly ObjectAgreement[]): string {
  const rows = agreements.map(({ photo, objects, found, leastOverlap, classes }) => [
    photo,
    IN_THE_PHOTO.get(photo) ?? '',
    [...classes].map(([name, count]) => `${count} ${name}`).join(', '),
    `${found} of ${objects}`,
    leastOverlap?.toFixed(3) ?? '',
  ]);
  return `Objects with a score of at least 0.25, as the service answers by default, in three photos; and how many
of those that centernet's reference implementation finds with at least 0.45 are among them (same class, IoU from
0.5 on). Three photos show that the pack works, not how well.

${markdownTable(['photo', 'shows', 'found', "of the reference's", 'least IoU'], rows)}`;
}

function falseMatches(rate: number, pairs: number): string {
  const count = Math.round(rate * pairs);
  return count === 0 ? '0' : `${rate.toPrecision(2)} (${number(count)} pairs)`;
}

function share(count: number, total: number): string {
  return `${percent(count / total)} (${count} of ${total})`;
}

function percentOf(rate: number, total: number): string {
  return share(Math.round(rate * total), total);
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}

/** Formats the rate in percent, with two digits after the point. */
function smallPercent(rate: number): string {
  if (rate < 1e-5) return '< 0.001 %';
  return `${Number((100 * rate).toPrecision(2))} %`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

"""What the service does to an image, as a plain Python loop would do it: OpenCV, NumPy and onnxruntime.

Started with the models and the files of the photos as JSON in its only argument. Answers each line of
stdin, {"task": "faces" or "objects", "photos": [index, ...]}, with the number of things found. The
steps are those of insightface (SCRFD, ArcFace) and ultralytics (YOLOv8), and so are the thresholds
that are not given.
"""

import json
import sys

import cv2
import numpy as np
import onnxruntime

FULL_FRAME_SIDE = 192
CERTAIN_SCORE = 0.6
FACE_NMS = 0.4
OBJECT_NMS = 0.7
TEMPLATE = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]],
    dtype=np.float32,
)


class Net:
    def __init__(self, component):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        path = component["path"]
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name
        self.mean, self.std = component["mean"], component["std"][0]
        self.size = (component["width"], component["height"])

    def run(self, image, size):
        blob = cv2.dnn.blobFromImage(image, 1.0 / self.std, size, self.mean, swapRB=True)
        return self.session.run(None, {self.input: blob})


def suppress(boxes, scores, threshold, edge):
    x1, y1, x2, y2 = boxes.T
    areas = (x2 - x1 + edge) * (y2 - y1 + edge)
    order = scores.argsort()[::-1]
    kept = []
    while order.size > 0:
        best, rest = order[0], order[1:]
        kept.append(best)
        width = np.minimum(x2[best], x2[rest]) - np.maximum(x1[best], x1[rest]) + edge
        height = np.minimum(y2[best], y2[rest]) - np.maximum(y1[best], y1[rest]) + edge
        shared = np.maximum(0, width) * np.maximum(0, height)
        order = rest[shared / (areas[best] + areas[rest] - shared) <= threshold]
    return kept


def scrfd_pass(net, image, size, room, threshold):
    height, width = image.shape[:2]
    aspect = height / width
    tall = aspect > room[1] / room[0]
    fitted = (int(room[1] / aspect), room[1]) if tall else (room[0], int(room[0] * aspect))
    scale = fitted[1] / height
    canvas = np.zeros((size[1], size[0], 3), dtype=np.uint8)
    canvas[: fitted[1], : fitted[0]] = cv2.resize(image, fitted)
    outputs = net.run(canvas, size)
    boxes, scores, points = [], [], []
    for level, stride in enumerate((8, 16, 32)):
        level_scores, distances, landmarks = (outputs[level + 3 * kind] for kind in range(3))
        rows, columns = -(-size[1] // stride), -(-size[0] // stride)
        grid = np.stack(np.mgrid[:rows, :columns][::-1], axis=-1).astype(np.float32)
        anchors = level_scores.size // (rows * columns)
        centers = np.repeat((grid * stride).reshape(-1, 2), anchors, axis=0)
        chosen = np.where(level_scores.ravel() >= threshold)[0]
        at, distance = centers[chosen], distances[chosen] * stride
        boxes.append(np.hstack([at - distance[:, :2], at + distance[:, 2:]]))
        scores.append(level_scores.ravel()[chosen])
        points.append(at[:, None, :] + landmarks[chosen].reshape(-1, 5, 2) * stride)
    return np.concatenate(boxes) / scale, np.concatenate(scores), np.concatenate(points) / scale


def detect_faces(net, image, threshold):
    boxes, scores, points = scrfd_pass(net, image, net.size, net.size, threshold)
    if not (scores > CERTAIN_SCORE).any():
        side = (FULL_FRAME_SIDE, FULL_FRAME_SIDE)
        more = scrfd_pass(net, image, side, side, threshold)
        sides = np.minimum(more[0][:, 2] - more[0][:, 0], more[0][:, 3] - more[0][:, 1])
        large = sides > min(image.shape[:2]) / 3
        boxes, scores, points = (
            np.concatenate([first, second[large]])
            for first, second in zip((boxes, scores, points), more)
        )
    return points[suppress(boxes, scores, FACE_NMS, 1)]


def similarity_transform(source, target):
    """Umeyama, "Least-squares estimation of transformation parameters", 1991."""
    source_mean, target_mean = source.mean(axis=0), target.mean(axis=0)
    source, target = source - source_mean, target - target_mean
    u, values, v = np.linalg.svd(target.T @ source / len(source))
    signs = np.array([1.0, np.sign(np.linalg.det(u) * np.linalg.det(v))])
    linear = (values @ signs) / source.var(axis=0).sum() * (u * signs) @ v
    return np.hstack([linear, (target_mean - linear @ source_mean)[:, None]])


def embed(net, image, points):
    side = net.size[0]
    transform = similarity_transform(points, TEMPLATE * (side / 112))
    vector = net.run(cv2.warpAffine(image, transform, net.size, borderValue=0), net.size)[0][0]
    return vector / np.linalg.norm(vector)


def detect_objects(net, image, threshold):
    height, width = image.shape[:2]
    scale = min(net.size[0] / width, net.size[1] / height)
    fitted = (max(1, round(width * scale)), max(1, round(height * scale)))
    left, top = (net.size[0] - fitted[0]) // 2, (net.size[1] - fitted[1]) // 2
    canvas = np.full((net.size[1], net.size[0], 3), 114, dtype=np.uint8)
    canvas[top : top + fitted[1], left : left + fitted[0]] = cv2.resize(image, fitted)
    output = net.run(canvas, net.size)[0][0]
    best, classes = output[4:].max(axis=0), output[4:].argmax(axis=0)
    chosen = np.where(best > threshold)[0]
    x, y, w, h = output[:4, chosen]
    boxes = np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], axis=1)
    return [
        kept
        for class_id in np.unique(classes[chosen])
        for kept in suppress(
            boxes[classes[chosen] == class_id],
            best[chosen][classes[chosen] == class_id],
            OBJECT_NMS,
            0,
        )
    ]


def main():
    cv2.setNumThreads(1)
    given = json.loads(sys.argv[1])
    nets = {role: Net(component) for role, component in given["components"].items()}
    photos = [np.fromfile(path, dtype=np.uint8) for path in given["photos"]]
    print("{}", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        found = 0
        for index in request["photos"]:
            image = cv2.imdecode(photos[index], cv2.IMREAD_COLOR)
            if request["task"] == "faces":
                faces = detect_faces(nets["FaceDetector"], image, given["faceThreshold"])
                found += len([embed(nets["FaceRecognizer"], image, points) for points in faces])
            else:
                found += len(detect_objects(nets["ObjectDetector"], image, given["objectThreshold"]))
        print(json.dumps({"found": found}), flush=True)


main()

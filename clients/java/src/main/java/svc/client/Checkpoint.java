package svc.client;

/**
 * State of a log, checked.
 *
 * @param origin which log: {@code <deployment>/org/<org_id>}.
 * @param size leaves, which are events.
 * @param root of the tree, in base64.
 * @param note as it was signed.
 * @param isFirst nothing was remembered, so there was nothing to compare it with.
 */
public record Checkpoint(String origin, long size, String root, String note, boolean isFirst) {}

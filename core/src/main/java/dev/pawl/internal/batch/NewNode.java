package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import dev.pawl.api.OnFailure;
import java.util.List;
import java.util.Map;

/**
 * A node of a workflow to be made.
 *
 * @param name for people and for those who ask for its results
 * @param jobs one or many
 * @param after the places of the nodes that come before, and what this one does when they fail
 */
public record NewNode(String name, List<JobRequest> jobs, Map<Integer, OnFailure> after) {}

package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import dev.pawl.api.OnFailure;
import java.util.List;
import java.util.Map;

/**
 * A node of a new workflow.
 *
 * @param name shown to people, and used to read its results
 * @param jobs one or more
 * @param after the indexes of the nodes on which it depends, each with what it does if that node fails
 */
public record NewNode(String name, List<JobRequest> jobs, Map<Integer, OnFailure> after) {}

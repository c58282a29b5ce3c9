package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A class runs a quarter of the tests, because there are four kinds of clusters. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {GaleraNodesTest.class, GroupNodesTest.class, PatroniPrimaryTest.class, GroupPrimaryTest.class},
        all = "PAWL_CONTRACTS")
@interface OneOfClusters {}

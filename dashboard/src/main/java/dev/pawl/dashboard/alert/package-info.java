/** Alerts: problems of the queue are reported to a webhook or a program, once when they begin and once when they end. */
@NullMarked
package dev.pawl.dashboard.alert;

import org.jspecify.annotations.NullMarked;

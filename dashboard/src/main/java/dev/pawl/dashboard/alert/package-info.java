/** Alerts: what is wrong with the queue is told to a webhook or a program, once when it begins and once when it is over. */
@NullMarked
package dev.pawl.dashboard.alert;

import org.jspecify.annotations.NullMarked;

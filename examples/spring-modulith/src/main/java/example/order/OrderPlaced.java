package example.order;

/**
 * An event that other modules may hear of.
 *
 * @param order its number
 */
public record OrderPlaced(int order) {}

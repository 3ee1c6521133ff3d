"""Events in time as the timeline stage and the gateway both know them: their days, tellings compared, forms to keep."""
